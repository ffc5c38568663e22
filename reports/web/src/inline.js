// `code` between backticks; everything else is text. Names such as "ladder:bodies=200,loops=50" may break behind their signs.
import { h } from "./dom.js";

const breakable = (text) => text.split(/(?<=[:,])(?=[A-Za-z])/).flatMap((part, i) => (i ? [h("wbr"), part] : [part]));

export function inline(text) {
  return text.split("`").flatMap((part, i) => (i % 2 ? [h("code", {}, breakable(part))] : breakable(part)));
}
