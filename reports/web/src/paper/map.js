// The map of the overview: one measure, families of methods in rows, kinds of mechanisms in columns, and the key of its colours and letters.
import { LINE, line, picture, rect, text, widthOf, wrapped } from "./svg.js";

const HEAT = ["#d3efe4", "#eef3c9", "#fbe3b0", "#f6c09a", "#e79a8d"], NONE = "#e4e7ea";
const LIMITS = { x: [1.1, 2, 5, 20], "": [1e-11, 1e-9, 1e-6, 1e-4] };  // of a ratio, of a value
// Why a field has no value.
const LETTERS = { "not reached": "N", "not found": "X", "too long": "L", failed: "F", refused: "R", "not run or timed yet": "Y", skipped: "S", "not planned": "\u2013", "the only method run": "A" };

const short = (unit, value) => (unit === "x" ? value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0) : value === 0 ? "0" : value.toExponential(0));

export function map({ data }, width) {
  const { kinds, measures, fields, engines, marks } = data, measure = measures[data.first], of = fields[data.first];
  // engines integrate nothing, so that most measures have none
  const firstEngine = data.families.length - engines;
  const families = data.families.map((name, f) => ({ name, f })).filter(({ f }) => f < firstEngine || of.some((kind) => kind[f][4] > 0));
  const isNarrow = width < 400, labels = families.map(({ name }) => wrapped(name, isNarrow ? 66 : 110));
  const left = 6 + Math.max(...labels.flat().map(widthOf)), column = (width - left - 2) / kinds.length;
  const heads = kinds.map((kind) => wrapped(kind, isNarrow ? 76 : column - 4)), head = isNarrow ? 4 + Math.max(...heads.flat().map(widthOf)) : 4 + LINE * Math.max(...heads.map((lines) => lines.length));
  const title = wrapped(measure.title, width - 4), top = 4 + LINE * title.length + head, row = 2 * LINE + 3;
  const parts = title.map((words, i) => text(2, 8 + LINE * i, words, { bold: true }));
  heads.forEach((lines, k) => lines.forEach((words, i) => {
    const x = left + column * (k + 0.5);
    parts.push(isNarrow ? text(x + 2.8 + LINE * (i - (lines.length - 1) / 2), top - 3, words, { turn: -90 }) : text(x, top - 3 - LINE * (lines.length - 1 - i), words, { anchor: "middle" }));
  }));
  const used = new Set();
  families.forEach(({ f }, r) => {
    const y = top + row * r;
    labels[r].forEach((words, i) => parts.push(text(left - 4, y + row / 2 + 2.8 + LINE * (i - (labels[r].length - 1) / 2), words, { anchor: "end" })));
    if (f === firstEngine && r > 0) parts.push(line(0, y, width, y));
    kinds.forEach((_, k) => {
      const [median, , , reached, taken, reason, signs] = of[k][f], x = left + column * k;
      const color = median === null ? NONE : HEAT[(LIMITS[measure.unit].findIndex((limit) => median <= limit) + 1 || 5) - 1];
      if (median === null && reason in LETTERS) used.add(reason);
      const words = median === null ? LETTERS[reason] ?? "\u2013" : short(measure.unit, median) + signs;
      parts.push(rect(x + 0.6, y + 0.6, column - 1.2, row - 1.2, { fill: color }), text(x + column / 2, y + LINE, words, { anchor: "middle", bold: median !== null && !isNarrow }),
        text(x + column / 2, y + 2 * LINE, `${reached}/${taken}`, { anchor: "middle" }));
    });
  });
  let x = 2, y = top + row * families.length + 6;
  const limits = LIMITS[measure.unit].map((limit) => (measure.unit ? String(limit) : limit.toExponential(0)));
  for (const [i, name] of [...limits.map((limit) => `\u2264 ${limit}`), `> ${limits.at(-1)}`].entries()) {
    if (x + 12 + widthOf(name) > width) [x, y] = [2, y + LINE + 2];
    parts.push(rect(x, y, 9, 8, { fill: HEAT[i] }), text(x + 12, y + 7, name));
    x += 22 + widthOf(name);
  }
  const letters = [...used].map((reason) => `${LETTERS[reason]} ${reason}`), signs = marks.split(". ").filter((mark) => of.some((kind) => kind.some((field) => field[6].includes(mark[0]))));
  const key = [...letters, "a/b reached of those taken", ...signs].join("; ");
  for (const words of wrapped(key, width - 4)) parts.push(text(2, (y += LINE + 1) + 8, words));
  return picture(width, Math.ceil(y + 14), parts);
}
