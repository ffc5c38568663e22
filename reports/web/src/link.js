// A link to a page of the report, kept up to date with the filters by the router.
import { h } from "./dom.js";
import { hrefOf } from "./router.js";

export const pageLink = (route, text, at = "", attributes = {}, chosen = {}) =>
  h("a", { href: hrefOf(route, at, chosen), "data-route": route, "data-at": at, "data-chosen": new URLSearchParams(chosen), ...attributes }, text);
