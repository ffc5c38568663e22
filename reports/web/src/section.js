// A section with its blocks; each kind of block has one function. The heading of a folded section opens it, and counts the cells
// that its tables list, under the filters that hold.
import { h } from "./dom.js";
import { renderFigure } from "./figure.js";
import { inline } from "./inline.js";
import { pageLink } from "./link.js";
import { isFiltered } from "./filters.js";
import { address, parameter, setParameter } from "./router.js";
import { passesFilters, renderTable, valueOf } from "./table.js";

// Links to sections of this page or of the page that they name.
export const jumps = ({ links = [] }) => h("span", { class: "jumps" }, links.flatMap(([text, id, page], i) => [i ? " \u00b7 " : " ", pageLink(page || address().route, text, id)]));

const RENDER = {
  paragraph: (block) => h("p", {}, inline(block.text), jumps(block),
    block.links && isFiltered() ? " (not filtered)" : ""),
  list: (block) => h("ul", { class: "items" }, block.items.map((item) => h("li", {}, inline(item)))),
  table: renderTable,
  figure: renderFigure,
};

function countOf({ blocks, sections }) {
  const tables = blocks.filter(({ kind, columns }) => kind === "table" && columns.some(({ label }) => label === "cells"));
  const counts = tables.flatMap((table) => table.rows.filter(passesFilters(table))
    .map((row) => valueOf(row[table.columns.findIndex(({ label }) => label === "cells")])));
  const inner = sections.map(countOf).filter((count) => count !== null);
  return tables.length || inner.length ? [...counts, ...inner].reduce((sum, one) => sum + one, 0) : null;
}

// The address names the sections that are open.
function fold(id, heading, content) {
  const opened = () => new Set((parameter("open") ?? "").split(";").filter((one) => one));
  const details = h("details", { class: "folded", open: opened().has(id) }, h("summary", {}, heading), content);
  details.addEventListener("toggle", () => {
    const now = opened();
    if (details.open === now.has(id) || !details.isConnected) return;
    if (!now.delete(id)) now.add(id);
    setParameter("open", [...now].join(";") || null);
  });
  return details;
}

// Inner sections with pages of their own are shown there.
export function renderSection(section, level) {
  const isCounted = level > 2 && [section, ...section.sections].some(({ folded }) => folded), count = isCounted ? countOf(section) : null;
  if (count === 0 && isFiltered()) return null;
  const heading = h(`h${level}`, {}, section.title, count === null ? null : h("span", { class: "count" }, ` ${count.toLocaleString("en")} ${count === 1 ? "cell" : "cells"}`));
  const content = [...section.blocks.map((block) => RENDER[block.kind](block)),
    ...section.sections.filter((inner) => !inner.page).map((inner) => renderSection(inner, level + 1))];
  return h("section", { id: section.id }, section.folded ? fold(section.id, heading, content) : [heading, ...content]);
}
