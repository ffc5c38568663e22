// What the error of a cell consists of: one bar, stacked of its parts by their shares, and the same in words.
import { h } from "./dom.js";

const digits = (value) => (value === 0 ? "0" : value.toPrecision(3));
const share = (part) => `${Math.round(100 * part.share)} %`;
const className = (part) => `budget-${part.part}`;

export function budgetBar(budget) {
  const parts = budget.parts.filter(({ norm }) => typeof norm === "number");
  const sums = budget.remainder <= 1e-3 * budget.error;
  return h("section", { class: "budget" }, h("h3", {}, "What the error consists of"),
    h("div", { class: "bar", role: "img", "aria-label": parts.map((part) => `${part.part} ${share(part)}`).join(", ") },
      parts.filter((part) => part.share > 0).map((part) => h("i", { class: className(part), style: `flex-grow: ${part.share}`, title: `${part.part}: ${digits(part.norm)}, ${share(part)}` }))),
    h("div", { class: "table" }, h("table", {}, h("tbody", {}, parts.map((part) => h("tr", {},
      h("th", { scope: "row" }, h("i", { class: `swatch ${className(part)}` }), part.part), h("td", { class: "number" }, digits(part.norm)), h("td", { class: "number" }, share(part)),
      h("td", {}, `${part.estimated && !part.how.startsWith("estimated") ? "estimated: " : ""}${part.how}`)))))),
    h("p", { class: "source" }, budget.asymptotic ? "The finer solutions agree with the discretisation. " : "Not in the asymptotic range: the finer solutions do not confirm the discretisation. ",
      sums ? `The vectors of the parts add up to the error but for ${digits(budget.remainder)}.` : `The parts do not add up to the error, ${digits(budget.remainder)} remains: rotations so large are no vectors.`));
}
