// `code` between backticks; everything else is text.
import { h } from "./dom.js";

export function inline(text) {
  return text.split("`").map((part, i) => (i % 2 ? h("code", {}, part) : part));
}
