// `code` between backticks; everything else is text. Names such as "ladder:bodies=200,loops=50" may break behind their signs, numbers
// such as "7.4e-8" nowhere.
import { h } from "./dom.js";

const NUMBER = /(\d[\d.]*e-\d+)/;
const unbroken = (text) => text.split(NUMBER).flatMap((part, i) => (i % 2 ? [h("span", { class: "unbroken" }, part)] : part ? [part] : []));
const breakable = (text) => text.split(/(?<=[:,])(?=[A-Za-z])/).flatMap((part, i) => [...(i ? [h("wbr")] : []), ...unbroken(part)]);

export function inline(text) {
  return text.split("`").flatMap((part, i) => (i % 2 ? [h("code", {}, breakable(part))] : breakable(part)));
}
