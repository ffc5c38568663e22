// A figure: drawing, remarks, the same data as a table, where the data is and what made it.
import { outcomeMatrix } from "./outcome_matrix.js";
import { drawing } from "./charts/kinds.js";
import { chart, choice } from "./charts/chart.js";
import { AGAINST, holdsMarked, levels } from "./charts/work_precision.js";
import { isFiltered, isShown } from "./filters.js";
import { h } from "./dom.js";
import { inline } from "./inline.js";
import { player } from "./player/player.js";
import { blockId, parameter, setParameter } from "./router.js";
import { renderTable, textOf } from "./table.js";

function draw(figure) {
  if (figure.drawn_as === "outcomes") return outcomeMatrix(figure);
  if (figure.drawn_as === "player") return player(figure);
  if (figure.drawn_as === "work-precision") return workPrecision(figure);
  return chart(figure, drawing(figure));
}

// By default the best curve of each family against CPU time; every curve and the evaluations on demand.
function workPrecision(figure) {
  const all = levels(figure), name = blockId(figure.csv, figure.title), place = h("div");
  const hasTimes = figure.data.series.some(({ points }) => points.some(([seconds]) => seconds !== null));
  const marked = all.findIndex(({ data }) => holdsMarked(data));
  const state = { curves: Number(parameter(`${name}.curves`) ?? Math.max(0, marked)), against: Number(parameter(`${name}.against`) ?? (hasTimes ? 0 : 1)) };
  if (!all[state.curves]) state.curves = 0;
  if (!AGAINST[state.against]) state.against = 0;
  const draw = () => {
    const shown = { ...figure, against: state.against, data: all[state.curves].data };
    place.replaceChildren(chart(figure, { ...drawing(shown), part: `${state.curves ? `.${state.curves}` : ""}${state.against ? ".work" : ""}` }));
  };
  const pick = (label, names, key) => choice(label, names, state[key], (i) => {
    state[key] = i;
    setParameter(`${name}.${key}`, String(i));
    draw();
  });
  draw();
  return h("div", {}, isFiltered() ? h("p", { class: "summary" }, caption(figure)) : null,
    pick("Curves", all.map(({ label }) => label), "curves"), pick("Against", AGAINST.map(({ label }) => label), "against"), place);
}

// What is shown under the filters that hold, counted here so that it is true of what is seen.
function caption({ data }) {
  const shown = data.series.filter(isShown), cells = shown.flatMap((one) => one.points).filter((point) => point[1] !== null);
  return `The filter leaves ${cells.length} cells in ${shown.length} curves of methods and integrators. Lower and further left is better. Hollow points are inaccurate. A click opens the cell.`;
}

export function asTable(figure) {
  if (figure.drawn_as === "outcomes") return null;  // is one already
  const details = h("details", { class: "as-table" }, h("summary", {}, `The same as a table (${figure.table.rows.length} rows)`));
  details.addEventListener("toggle", () => details.append(renderTable(figure.table, blockId(figure.csv, figure.title))), { once: true });
  return details;
}

// Remarks on single methods, "Caution: METHOD, ...", go with their method; its name may hold commas.
const LEAD = /^Caution: /;
function shownNotes({ notes: all, table }) {
  if (!isFiltered()) return all;
  const methods = [...new Set(table.rows.map((row) => textOf(row[0])))].sort((a, b) => b.length - a.length);
  return all.filter((note) => {
    const rest = note.replace(LEAD, "");
    return isShown({ method: rest === note ? undefined : methods.find((one) => rest.startsWith(`${one},`)) });
  });
}

const NOTES_AT_ONCE = 4;
function notes(all) {
  const list = (some) => h("ul", { class: "notes" }, some.map((note) => h("li", {}, inline(note))));
  if (!all.length) return null;
  if (all.length <= NOTES_AT_ONCE + 1) return list(all);
  return [list(all.slice(0, NOTES_AT_ONCE)),
    h("details", {}, h("summary", {}, `${all.length - NOTES_AT_ONCE} more remarks`), list(all.slice(NOTES_AT_ONCE)))];
}

export function source(figure) {
  return h("p", { class: "source" },
    figure.csv ? ["Data: ", h("a", { href: `csv/${figure.csv}` }, `csv/${figure.csv}`)] : null,
    figure.command ? [" made by ", h("code", {}, figure.command)] : null);
}

export const DIAGRAM = "diagram";  // the element to which a link to a cell in the diagram scrolls

export function renderFigure(figure) {
  return h("figure", { id: figure.drawn_as === "work-precision" ? DIAGRAM : undefined },
    h("h4", {}, figure.title),
    figure.drawn_as === "work-precision" && isFiltered() ? null : h("p", { class: "summary" }, inline(figure.summary)),
    draw(figure),
    h("figcaption", {},
      notes(shownNotes(figure)),
      asTable(figure),
      source(figure)));
}
