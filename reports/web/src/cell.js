// The page of one cell: "#/cell/fourbar/0123456789ab". Each problem has its own data element.
import { budgetBar } from "./budget_bar.js";
import { readPacked } from "./packed.js";
import { h } from "./dom.js";
import { DIAGRAM } from "./figure.js";
import { pageLink } from "./link.js";
import { inline } from "./inline.js";

const WORDS = ["reason", "caution"], PARTS = ["method", "integrator", "setting", "outcome", "group", "command", "rounds", "drawn", "counters", "budget", ...WORDS];
const number = (value) => (typeof value !== "number" ? String(value) : Number.isInteger(value) && Math.abs(value) < 1e9 ? value.toLocaleString("en")
  : Math.abs(value) < 1e-2 || Math.abs(value) >= 1e4 ? value.toExponential(3) : value.toPrecision(4));
// Order of the lines; other names come last.
const FIRST = ["error", "error at the end", "error over tolerance", "velocity error", "reaction error", "position drift", "velocity drift", "energy drift", "linear momentum drift", "angular momentum drift",
  "digits left", "end time [s]", "time reached [s]", "set-up [s]", "memory [B]"];
const UNITS = { error: "L or rad", "error at the end": "L or rad", "velocity error": "L/T or rad/T", "reaction error": "of the largest reaction", "position drift": "L",
  "velocity drift": "L/T", "energy drift": "E_ref", "linear momentum drift": "relative", "angular momentum drift": "relative" };
const LABELS = { "digits left": "digits that round-off leaves", "set-up [s]": "set-up time" };
// What is measured of a motion that failed has the unit and the place of the same for a whole motion.
const whole = (name) => name.replace(" until the failure", "");
const label = (name) => `${LABELS[name] ?? name}${UNITS[whole(name)] ? ` [${UNITS[whole(name)]}]` : ""}`;
const place = (name) => (FIRST.includes(whole(name)) ? FIRST.indexOf(whole(name)) : FIRST.length);
const seconds = (value) => (value < 1e-3 ? `${(value * 1e6).toPrecision(4)} \u00b5s` : `${(value * 1e3).toPrecision(4)} ms`);
const valueOf = (name, value) => (name === "set-up [s]" ? seconds(value) : number(value));

const table = (caption, lines) => h("div", { class: "table" }, h("table", {}, h("caption", {}, caption), h("tbody", {}, lines.map(([name, value]) =>
  h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number" }, value))))));

const isMeasure = (name) => /error|drift|digits/.test(name);
const linesOf = (cell, measures) => Object.entries(cell).filter(([name]) => !PARTS.includes(name) && isMeasure(name) === measures)
  .sort(([a], [b]) => place(a) - place(b)).map(([name, value]) => [label(name), valueOf(name, value)]);

export function copyButton(text, label = "copy") {
  const button = h("button", { type: "button", onclick: () => navigator.clipboard.writeText(text).then(() => { button.textContent = "copied"; }) }, label);
  return button;
}

// Null where the report has no such cell.
export function cellPage(route) {
  const [, stem, key] = route.match(/^cell\/(.+)\/([^/]+)$/) ?? [];
  const { problem, route: back, cells } = (stem && readPacked(`cells-${stem}`)) || { cells: {} };
  const short = Object.keys(cells).find((one) => key.startsWith(one) || (key.length >= 6 && one.startsWith(key)));  // cells.csv has the whole key, links its beginning
  const cell = cells[short];
  if (!cell) return null;
  const title = `${problem}: ${cell.method}, ${cell.integrator}, ${cell.setting}`;
  const spread = cell.rounds?.map(([, value]) => value) ?? [];
  const minimum = Math.min(...spread), maximum = Math.max(...spread);
  const page = h("div", { id: "page", tabindex: "-1" },
    back ? h("p", { class: "neighbours" }, pageLink(back, `All cells of ${problem}`),
      cell.drawn ? pageLink(back, "Show in the diagram and in the player", DIAGRAM, {}, { mark: short }) : null) : null,
    h("section", { class: "cell" }, h("h2", {}, title),
      h("p", {}, h("span", { class: `tone-outcome-${cell.group}` }, cell.outcome)),
      WORDS.filter((name) => cell[name]).map((name) => h("p", {}, h("b", {}, `${name}: `), inline(cell[name]))),
      cell.command ? h("p", { class: "command" }, h("code", {}, cell.command), " ", copyButton(cell.command, "Copy command")) : null,
      h("p", { class: "source" }, "Progress and final state: ", h("code", {}, `mbsbench explain ${short}`)),
      h("div", { class: "columns" },
        table("Accuracy and drift", linesOf(cell, true)),
        table("Motion and cost", linesOf(cell, false)),
        cell.counters ? table("Counters", Object.entries(cell.counters).map(([name, value]) => [name.replaceAll("_", " "), number(value)])) : null,
        spread.length ? table(spread.length > 1 ? `CPU time of ${spread.length} rounds, ${seconds(minimum)} to ${seconds(maximum)}` : "CPU time of one round",
          cell.rounds.map(([round, value, repetitions, target]) => [`round ${Number(round) + 1}${target ? ` at ${target}` : ""}${repetitions ? (repetitions === 1 ? ", 1 integration" : `, the least of ${repetitions} integrations`) : ""}`, seconds(value)])) : null),
      cell.budget ? budgetBar(cell.budget) : null));
  return { title, page };
}
