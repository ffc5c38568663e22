// A figure: drawing, what is not drawn, the same data as a table, where the data is and what made it.
import { outcomeMatrix } from "./outcome_matrix.js";
import { drawing } from "./charts/kinds.js";
import { chart } from "./charts/chart.js";
import { h } from "./dom.js";
import { inline } from "./inline.js";
import { player } from "./player/player.js";
import { blockId } from "./router.js";
import { renderTable } from "./table.js";

function draw(figure) {
  if (figure.drawn_as === "outcomes") return outcomeMatrix(figure);
  if (figure.drawn_as === "player") return player(figure);
  return chart(figure, drawing(figure));
}

function asTable(figure) {
  if (figure.drawn_as === "outcomes") return null;  // is one already
  const details = h("details", {}, h("summary", {}, `The same as a table (${figure.table.rows.length} rows)`));
  details.addEventListener("toggle", () => details.append(renderTable(figure.table, blockId(figure.csv, figure.title))), { once: true });
  return details;
}

const NOTES_AT_ONCE = 4;
function notes(all) {
  const list = (some) => h("ul", { class: "notes" }, some.map((note) => h("li", {}, inline(note))));
  if (!all.length) return null;
  if (all.length <= NOTES_AT_ONCE + 1) return list(all);
  return [list(all.slice(0, NOTES_AT_ONCE)),
    h("details", {}, h("summary", {}, `${all.length - NOTES_AT_ONCE} more remarks`), list(all.slice(NOTES_AT_ONCE)))];
}

function source(figure) {
  return h("p", { class: "source" },
    figure.csv ? ["Data: ", h("a", { href: `csv/${figure.csv}` }, `csv/${figure.csv}`)] : null,
    figure.command ? [" made by ", h("code", {}, figure.command)] : null);
}

export function renderFigure(figure) {
  return h("figure", {},
    h("h4", {}, figure.title),
    h("p", { class: "summary" }, inline(figure.summary)),
    draw(figure),
    h("figcaption", {},
      notes(figure.notes),
      asTable(figure),
      source(figure)));
}
