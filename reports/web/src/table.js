// A table that sorts by the values of its cells, not by their texts, and shows the rows that contain all words of the search.
import { h } from "./dom.js";
import { isFiltered, isShown } from "./filters.js";
import { inline } from "./inline.js";
import { pageLink } from "./link.js";
import { blockId, parameter, setParameter } from "./router.js";
import { picture } from "./picture.js";
import { scrollBox } from "./scroll_box.js";

// A cell is a text, or [text, value, tone, link (the route of a page, or a file), id of the motion whose mechanism is drawn].
export const textOf = (cell) => (Array.isArray(cell) ? cell[0] : cell);
export const valueOf = (cell) => (Array.isArray(cell) && cell[1] !== null ? cell[1] : textOf(cell));

const LONG = 26, TEXT = 50;  // characters of a line; longer ones get minimum widths
const SHORT = 14;  // a line up to this length is never broken: "tol 1e-10"
function classes(column, cell) {
  const tone = Array.isArray(cell) && cell[2] ? `tone-${cell[2]}` : "";
  const length = Math.max(...textOf(cell).split("\n").map((line) => line.length));
  const width = column.number ? (length > LONG ? "number long" : "number") : length > TEXT ? "long text" : length > LONG ? "long" : length <= SHORT ? "short" : "";
  return [width, tone].join(" ").trim() || undefined;
}

// Numbers by size and before texts, so that "not reached" and "-" come last. A row may end before its last column.
function compare(a, b) {
  const [x, y] = [valueOf(a) ?? "", valueOf(b) ?? ""];
  if (typeof x === "number" && typeof y === "number") return x - y;
  if (typeof x === "number") return -1;
  if (typeof y === "number") return 1;
  return x.localeCompare(y, "en", { numeric: true });
}

function content(cell) {
  const text = textOf(cell), [, , , link, drawn] = Array.isArray(cell) ? cell : [];
  const shown = !link ? inline(text) : link.startsWith("csv/") ? h("a", { href: link }, inline(text)) : pageLink(link, inline(text));
  const mechanism = drawn ? picture(drawn) : null;
  return mechanism ? h("span", { class: "pictured" }, mechanism, h("span", {}, shown)) : shown;
}

const LONG_TABLE = 150, FIRST_ROWS = 60, MORE_ROWS = 300;
const ROWS_TO_FILTER = 15;  // shorter tables have no search field

function fillBody(body, columns, rows, from = 0) {
  const end = rows.length <= LONG_TABLE ? rows.length : Math.min(rows.length, from ? from + MORE_ROWS : FIRST_ROWS);
  for (const row of rows.slice(from, end)) {
    body.append(h("tr", {}, row.map((cell, i) =>
      h(i ? "td" : "th", { class: classes(columns[i], cell), scope: i ? undefined : "row" }, content(cell)))));
  }
  if (end === rows.length) return;
  const more = h("button", { type: "button", onclick: () => { more.closest("tr").remove(); fillBody(body, columns, rows, end); } },
    `Show more`);
  body.append(h("tr", {}, h("td", { colspan: columns.length }, `${(rows.length - end).toLocaleString("en")} more rows `, more)));
}

const FILTERED = { method: "method", integrator: "integrator", problem: "problem", mechanism: "kind" };  // columns
const isFilterable = (table) => table.columns.some(({ label }) => label in FILTERED);
export function passesFilters(table) {
  const places = table.columns.flatMap(({ label }, i) => (label in FILTERED ? [[FILTERED[label], i]] : []));
  return (row) => isShown(Object.fromEntries(places.map(([name, i]) => [name, textOf(row[i]) === "any" ? undefined : textOf(row[i])])));
}

// Words, or phrases between quotation marks.
const wordsOf = (text) => [...text.toLowerCase().matchAll(/"([^"]+)"|(\S+)/g)].map((match) => match[1] ?? match[2]);
const hasWords = (row, words) => {
  const text = row.map(textOf).join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
};

// With more columns the headings are small.
const MANY_COLUMNS = 12;

export function renderTable(table, id = blockId(table.csv, table.caption)) {
  if (!table.rows.length) return h("p", {}, `${table.caption}: none.`);
  const candidates = table.rows.filter(passesFilters(table));
  const body = h("tbody"), headers = [];
  const count = h("span", { class: "count", role: "status" });
  const [sorted, way] = (parameter(`${id}.sort`) ?? "").split(",");
  // an address typed by hand, or from another report, may name no column
  const state = { column: table.columns.findIndex((_, i) => String(i) === sorted), direction: way === "down" ? -1 : 1, words: parameter(`${id}.rows`) ?? "" };

  const draw = () => {
    const words = wordsOf(state.words);
    let rows = words.length ? candidates.filter((row) => hasWords(row, words)) : candidates;
    if (state.column >= 0) rows = [...rows].sort((a, b) => state.direction * compare(a[state.column], b[state.column]));
    headers.forEach((cell, i) => (i === state.column
      ? cell.setAttribute("aria-sort", state.direction > 0 ? "ascending" : "descending") : cell.removeAttribute("aria-sort")));
    count.textContent = rows.length === table.rows.length ? `${rows.length} rows` : `${rows.length} of ${table.rows.length} rows`;
    body.replaceChildren();
    fillBody(body, table.columns, rows);
  };
  const sort = (index) => {
    state.direction = state.column === index ? -state.direction : 1;
    state.column = index;
    setParameter(`${id}.sort`, `${index},${state.direction > 0 ? "up" : "down"}`);
    draw();
  };
  table.columns.forEach((column, i) => headers.push(h("th", { scope: "col", class: column.number ? "number" : undefined },
    h("button", { type: "button", onclick: () => sort(i) }, column.label))));
  const search = h("input", { type: "search", value: state.words, placeholder: "rows that hold \u2026", "aria-label": `Filter rows of: ${table.caption}`,
    oninput: () => { state.words = search.value; setParameter(`${id}.rows`, state.words); draw(); } });
  draw();
  return h("div", { class: "table" },
    table.rows.length > ROWS_TO_FILTER || candidates.length < table.rows.length ? h("p", { class: "rows" }, search, " ", count) : null,
    h("p", { class: "caption", "aria-hidden": "true" }, table.caption, isFiltered() && !isFilterable(table) ? " (not filtered)" : ""),
    scrollBox({ "aria-label": table.caption }, h("table", { class: table.columns.length > MANY_COLUMNS ? "many" : undefined },
      h("caption", { class: "hidden" }, table.caption),
      h("thead", {}, h("tr", {}, headers)),
      body)),
    table.csv ? h("p", { class: "source" }, "Data: ", h("a", { href: `csv/${table.csv}` }, `csv/${table.csv}`)) : null);
}
