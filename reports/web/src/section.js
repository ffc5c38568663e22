// A section with its blocks; each kind of block has one function.
import { h } from "./dom.js";
import { renderFigure } from "./figure.js";
import { inline } from "./inline.js";
import { pageLink } from "./link.js";
import { address } from "./router.js";
import { renderTable } from "./table.js";

const RENDER = {
  paragraph: (block) => h("p", {}, inline(block.text), (block.links ?? []).flatMap(([text, id], i) => [i ? " \u00b7 " : " ", pageLink(address().route, text, id)])),
  list: (block) => h("ul", { class: "items" }, block.items.map((item) => h("li", {}, inline(item)))),
  table: renderTable,
  figure: renderFigure,
};

// Inner sections with pages of their own are shown there.
export function renderSection(section, level) {
  return h("section", { id: section.id },
    h(`h${level}`, {}, section.title),
    section.blocks.map((block) => RENDER[block.kind](block)),
    section.sections.filter((inner) => !inner.page).map((inner) => renderSection(inner, level + 1)));
}
