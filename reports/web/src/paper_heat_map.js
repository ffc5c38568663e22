// The map of the overview as an SVG text, of the measure that the page shows first.
import { svgText } from "./svg_text.js";

const HEAT = ["#d3efe4", "#eef3c9", "#fbe3b0", "#f6c09a", "#e79a8d"], LIMITS = [1.1, 2, 5, 20], NONE = "#e4e7ea";
const COLUMN = 128, ROW = 36, LEFT = 140, HEAD = 44, MARGIN = 12;

const two = (value) => (value === null ? "\u221e" : value < 9.995 ? value.toFixed(2) : value.toFixed(value < 99.95 ? 1 : 0));

// The heads are wider than their columns.
const twoLines = (words) => [words.slice(0, Math.ceil(words.length / 2)).join(" "), words.slice(Math.ceil(words.length / 2)).join(" ")];

export function heatMapSvg({ data }) {
  const { kinds, families, measures, fields } = data;
  const m = data.first;
  const width = LEFT + COLUMN * kinds.length + MARGIN, height = HEAD + ROW * families.length + MARGIN;
  const parts = kinds.flatMap((kind, k) => twoLines(kind.split(" ")).map((line, i) =>
    svgText(LEFT + COLUMN * (k + 0.5), HEAD - 26 + 16 * i, line, { anchor: "middle", bold: true })));
  families.forEach((family, f) => {
    const y = HEAD + ROW * f;
    parts.push(svgText(LEFT - 8, y + ROW / 2 + 4, family, { anchor: "end" }));
    kinds.forEach((_, k) => {
      const [median, , , reached, taken, reason, marks] = fields[m][k][f], x = LEFT + COLUMN * k;
      const color = median === null ? NONE : HEAT[(LIMITS.findIndex((limit) => median <= limit) + 1 || 5) - 1];
      parts.push(`<rect x="${x + 1}" y="${y + 1}" width="${COLUMN - 2}" height="${ROW - 2}" rx="3" fill="${color}"/>`,
        svgText(x + COLUMN / 2, y + 15, median === null ? reason || "none" : `${two(median)}${marks}`, { anchor: "middle", bold: median !== null }),
        svgText(x + COLUMN / 2, y + 29, `${reached}/${taken}`, { anchor: "middle" }));
    });
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`
    + `<rect width="100%" height="100%" fill="#ffffff"/>${parts.join("")}</svg>`;
}
