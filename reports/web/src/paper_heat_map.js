// The map of the overview as an SVG text, of the measure that the page shows first.
import { svgText } from "./svg_text.js";

const HEAT = ["#d3efe4", "#eef3c9", "#fbe3b0", "#f6c09a", "#e79a8d"], LIMITS = [1.1, 2, 5, 20], NONE = "#e4e7ea";
const COLUMN = 92, ROW = 40, LEFT = 190, HEAD = 34, MARGIN = 12;

const two = (value) => (value === null ? "\u221e" : value < 9.995 ? value.toFixed(2) : value.toFixed(value < 99.95 ? 1 : 0));

export function heatMapSvg({ data }) {
  const { kinds, families, measures, fields } = data;
  const m = Math.max(0, measures.findIndex(({ name }) => name === "time_at_1e-6"));
  const width = LEFT + COLUMN * families.length + MARGIN, height = HEAD + ROW * kinds.length + MARGIN;
  const parts = families.map((family, f) => svgText(LEFT + COLUMN * (f + 0.5), HEAD - 10, family, { anchor: "middle", bold: true }));
  kinds.forEach((kind, k) => {
    const y = HEAD + ROW * k;
    parts.push(svgText(LEFT - 8, y + ROW / 2 + 4, kind, { anchor: "end" }));
    families.forEach((_, f) => {
      const [median, low, high, counted, of, reason] = fields[m][k][f], x = LEFT + COLUMN * f;
      const color = median === null ? NONE : HEAT[(LIMITS.findIndex((limit) => median <= limit) + 1 || 5) - 1];
      parts.push(`<rect x="${x + 1}" y="${y + 1}" width="${COLUMN - 2}" height="${ROW - 2}" rx="3" fill="${color}"/>`,
        svgText(x + COLUMN / 2, y + 16, median === null ? reason || "none" : two(median), { anchor: "middle", bold: median !== null }),
        svgText(x + COLUMN / 2, y + 31, `${median === null ? "" : `${two(low)} to ${two(high)}, `}${counted}/${of}`, { anchor: "middle" }));
    });
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`
    + `<rect width="100%" height="100%" fill="#ffffff"/>${parts.join("")}</svg>`;
}
