// A table that sorts by the values behind its texts.
import { h } from "./dom.js";

// A cell is a text, or [text, value, tone].
const textOf = (cell) => (Array.isArray(cell) ? cell[0] : cell);
const valueOf = (cell) => (Array.isArray(cell) && cell[1] !== null ? cell[1] : textOf(cell));

const LONG = 26;  // characters from which a text may not be squeezed into a narrow column
function classes(column, cell) {
  const tone = Array.isArray(cell) && cell[2] ? `tone-${cell[2]}` : "";
  return [column.number ? "number" : textOf(cell).length > LONG ? "long" : "", tone].join(" ").trim() || undefined;
}

// Numbers by size and before texts, so that "not reached" and "-" come last.
function compare(a, b) {
  const [x, y] = [valueOf(a), valueOf(b)];
  if (typeof x === "number" && typeof y === "number") return x - y;
  if (typeof x === "number") return -1;
  if (typeof y === "number") return 1;
  return x.localeCompare(y, "en", { numeric: true });
}

const ROWS_AT_ONCE = 400;

function fillBody(body, columns, rows, from = 0) {
  const end = Math.min(rows.length, from + ROWS_AT_ONCE);
  for (const row of rows.slice(from, end)) {
    body.append(h("tr", {}, row.map((cell, i) =>
      h(i ? "td" : "th", { class: classes(columns[i], cell), scope: i ? undefined : "row" }, textOf(cell)))));
  }
  if (end === rows.length) return;
  const more = h("button", { type: "button", onclick: () => { more.closest("tr").remove(); fillBody(body, columns, rows, end); } },
    `Show more (${rows.length - end} rows left)`);
  body.append(h("tr", {}, h("td", { colspan: columns.length }, more)));
}

function header(column, index, state, sort) {
  const button = h("button", { type: "button", onclick: () => sort(index) }, column.label);
  const cell = h("th", { scope: "col", class: column.number ? "number" : undefined }, button);
  state.headers.push(cell);
  return cell;
}

export function renderTable(table) {
  if (!table.rows.length) return h("p", {}, `${table.caption}: none.`);
  const body = h("tbody");
  const state = { headers: [], column: -1, direction: 1 };
  const sort = (index) => {
    state.direction = state.column === index ? -state.direction : 1;
    state.column = index;
    state.headers.forEach((cell, i) => cell.removeAttribute("aria-sort") ??
      (i === index && cell.setAttribute("aria-sort", state.direction > 0 ? "ascending" : "descending")));
    body.replaceChildren();
    fillBody(body, table.columns, [...table.rows].sort((a, b) => state.direction * compare(a[index], b[index])));
  };
  fillBody(body, table.columns, table.rows);
  return h("div", { class: "table" },
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": table.caption },
      h("table", {},
        h("caption", {}, table.caption),
        h("thead", {}, h("tr", {}, table.columns.map((column, i) => header(column, i, state, sort)))),
        body)),
    table.csv ? h("p", { class: "source" }, "Data: ", h("a", { href: `csv/${table.csv}` }, `csv/${table.csv}`)) : null);
}
