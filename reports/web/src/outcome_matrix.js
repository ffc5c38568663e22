// The outcome of every cell: a letter on a colour, from coarse to fine. Pointing at, focusing or clicking an entry (problem x
// method x integrator) shows its cells with their reasons.
import { h } from "./dom.js";
import { isShown } from "./filters.js";
import { pageLink } from "./link.js";
import { parameter, setParameter } from "./router.js";
import { scrollBox } from "./scroll_box.js";

const detail = () => document.getElementById("detail");

function showDetail(entry, where, cells, command, stem) {
  const box = detail();
  box.replaceChildren(
    h("strong", {}, where),
    h("ul", {}, cells.map(([letter, group, text, key]) =>
      h("li", {}, h("span", { class: `outcome ${group}`, "aria-hidden": "true" }, letter), " ", key ? pageLink(`cell/${stem}/${key}`, text) : text))),
    command ? h("p", {}, "The first again: ", h("code", {}, command)) : "");
  box.hidden = false;
  const at = entry.getBoundingClientRect();
  const below = at.bottom + 6 + box.offsetHeight < innerHeight;
  box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - box.offsetWidth - 8))}px`;
  box.style.top = `${below ? at.bottom + 6 : Math.max(8, at.top - box.offsetHeight - 6)}px`;
}

function hideDetail() {
  detail().hidden = true;
}

// Three dots: cells not run yet. One dot: not planned.
const notRun = (where) => h("span", { class: "absent-entry", title: `${where}: not run yet` }, "\u2026");

function entry(where, cells, command, stem, isOpen) {
  if (!cells.length) return isOpen ? notRun(where) : h("span", { class: "absent-entry", title: "not planned" }, "\u00b7");
  const perLine = cells.length > 6 ? Math.ceil(cells.length / 2) : cells.length;
  const button = h("button", { type: "button", class: "entry", style: `grid-template-columns: repeat(${perLine}, auto)`, "aria-label":
      `${where}: ${cells.map((cell) => cell[2]).join("; ")}` },
    cells.map(([letter, group]) => h("span", { class: `outcome ${group}` }, letter)));
  const show = () => showDetail(button, where, cells, command, stem);
  for (const event of ["mouseenter", "focus", "click"]) button.addEventListener(event, show);
  button.addEventListener("mouseleave", () => document.activeElement !== button && hideDetail());
  button.addEventListener("blur", () => setTimeout(() => detail().contains(document.activeElement) || hideDetail()));
  button.addEventListener("keydown", (event) => event.key === "Escape" && hideDetail());
  return isOpen ? [button, notRun(where)] : button;
}

// With the numbers of cells that the filters leave.
function legend(outcomes, rows) {
  const letters = rows.flatMap((row) => row.cells.flatMap((cells) => cells.map(([letter]) => letter)));
  return h("ul", { class: "legend" }, outcomes.map((outcome) => {
    const count = letters.filter((letter) => letter === outcome.letter).length;
    return count === 0 ? null : h("li", { title: outcome.meaning }, h("span", { class: `outcome ${outcome.group}` }, outcome.letter), ` ${outcome.name} ${count.toLocaleString("en")}`);
  }));
}

// One header over the integrators of a method.
function methodHeaders(columns) {
  const groups = [];
  for (const column of columns) {
    if (groups.at(-1)?.method === column.method) groups.at(-1).count += 1;
    else groups.push({ method: column.method, count: 1 });
  }
  return groups.map((group) => h("th", { scope: "colgroup", colspan: group.count, class: "group" }, group.method));
}

export function outcomeMatrix(figure) {
  const { outcomes } = figure.data;
  const passes = ({ method, integrator }) => isShown({ method, integrator: integrator === "any" ? "" : integrator });
  const kept = figure.data.columns.map((_, i) => i).filter((i) => passes(figure.data.columns[i]));
  const columns = kept.map((i) => figure.data.columns[i]);
  const rows = figure.data.rows.filter((row) => isShown({ problem: row.label }))
    .map((row) => ({ ...row, cells: kept.map((i) => row.cells[i]), planned: kept.map((i) => row.planned[i]), commands: kept.map((i) => row.commands[i]) }));
  const detailed = new Set((parameter("families") ?? "").split(";").filter((one) => one));
  const name = (row, i) => `${row.label}, ${columns[i].method}, ${columns[i].integrator}`;
  const group = (i) => (i && columns[i - 1].method === columns[i].method ? undefined : "group");
  const isLarge = new Set(rows.map((row) => row.family)).size > 1;
  const every = () => scrollBox({ class: "scroll matrix", "aria-label": figure.title, onscroll: hideDetail },
    h("table", {},
      h("caption", { class: "hidden" }, figure.table.caption),
      h("thead", {},
        h("tr", {}, h("th", { rowspan: 2, scope: "col" }, "problem"), methodHeaders(columns)),
        h("tr", {}, columns.map((column, i) => h("th", { scope: "col", class: group(i) }, column.integrator)))),
      h("tbody", {}, rows.filter((row) => !isLarge || detailed.has(row.family)).map((row) => h("tr", {},
        h("th", { scope: "row" }, row.page ? pageLink(row.page, row.label) : row.label),
        row.cells.map((cells, i) => h("td", { class: group(i) }, entry(name(row, i), cells, row.commands[i], row.stem, row.planned[i] > 0))))))));
  if (!isLarge) return h("div", {}, legend(outcomes, rows), every());
  const place = h("div");
  const draw = () => place.replaceChildren(detailed.size ? every() : "");
  const toggle = (family) => {
    if (!detailed.delete(family)) detailed.add(family);
    setParameter("families", [...detailed].join(";") || null);
    draw();
  };
  draw();
  return h("div", {}, legend(outcomes, rows), inFamilies(rows, columns, toggle), place);
}

const GROUPS = { good: "ok", doubtful: "inaccurate or not judged", failed: "failed", stopped: "failed by a limit or a crash", absent: "refused or skipped", "not-run": "not run yet" };

// One row per family of problems, one column per method, on one screen. A bar shows the shares of outcomes; its empty part is
// cells not run yet.
function inFamilies(rows, columns, toggle) {
  const families = [...new Set(rows.map((row) => row.family))], methods = [...new Set(columns.map((column) => column.method))];
  const bar = (family, method) => {
    const counts = Object.fromEntries(Object.keys(GROUPS).map((name) => [name, 0]));
    for (const row of rows) {
      if (row.family !== family) continue;
      columns.forEach((column, i) => {
        if (column.method !== method) return;
        row.cells[i].forEach(([, name]) => { counts[name] = (counts[name] ?? 0) + 1; });
        counts["not-run"] += Math.max(0, row.planned[i] - row.cells[i].length);
      });
    }
    const all = Object.values(counts).reduce((a, b) => a + b, 0);
    const shown = Object.keys(GROUPS).filter((name) => counts[name]);
    const text = shown.map((name) => `${name === "not-run" ? "about " : ""}${counts[name]} ${GROUPS[name]}`).join(", ");
    return h("td", { title: `${family}, ${method}: ${text || "not planned"}` }, all
      ? h("span", { class: "bar" }, shown.map((name) => h("i", { class: name, style: `flex-grow: ${counts[name]}` }))) : "");
  };
  return h("div", { class: "scroll" }, h("table", { class: "bars" },
    h("caption", { class: "hidden" }, "Outcomes by family of problems and method"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "family (problems)"), methods.map((method) => h("th", { scope: "col", title: method }, h("span", {}, method))))),
    h("tbody", {}, families.map((family) => h("tr", {},
      h("th", { scope: "row" }, h("button", { type: "button", class: "plain", onclick: () => toggle(family), title: "Show or hide the problems of this family" },
        `${family} (${rows.filter((row) => row.family === family).length})`)),
      methods.map((method) => bar(family, method)))))));
}
