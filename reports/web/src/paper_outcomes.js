// The outcome matrix as an SVG text: letters on colours, as on the page, with its legend.
import { svgText } from "./svg_text.js";

const COLORS = { good: "#8fdcc3", doubtful: "#f3e26b", failed: "#f0a27a", stopped: "#e0a8c6", absent: "#d9dce0" };
const CELL = 13, ROW = 20, GAP = 10, CHARACTER = 6.6, MARGIN = 12, SLANT = 0.6;

const width = (text) => CHARACTER * text.length;

function letter(x, y, [sign, group]) {
  return `<rect x="${x}" y="${y}" width="${CELL - 1}" height="${CELL + 2}" rx="2" fill="${COLORS[group] ?? COLORS.absent}"/>`
    + svgText(x + (CELL - 1) / 2, y + 11, sign, { anchor: "middle", bold: true });
}

export function outcomesSvg(figure) {
  const { outcomes, columns, rows, of } = figure.data;
  if (!rows.length || !columns.length) return "";
  const named = columns.map((column) => (of === "problem" ? `${column.method}, ${column.integrator}` : column.integrator));
  const left = MARGIN + Math.max(...rows.map((row) => width(row.label))) + GAP;
  const isOpen = (row, i) => row.planned[i] > 0;  // three dots after its letters: cells that were not run yet
  const widths = columns.map((_, i) => Math.max(CELL, ...rows.map((row) => CELL * (row.cells[i].length + isOpen(row, i)))) + GAP);
  const places = widths.map((_, i) => left + widths.slice(0, i).reduce((sum, one) => sum + one, 0));
  // the names of columns lean over them
  const head = MARGIN + Math.max(...named.map((name) => width(name) * SLANT)) + ROW;
  const used = outcomes.filter((outcome) => rows.some((row) => row.cells.some((cells) => cells.some(([sign]) => sign === outcome.letter))));
  const last = named.length - 1;
  const total = Math.max(places[last] + widths[last], places[last] + width(named[last]) * 0.85) + MARGIN;
  const bottom = head + rows.length * ROW + ROW;
  const parts = named.map((name, i) => svgText(places[i] + CELL / 2, head - 8, name, { turn: -SLANT * 60 }));
  rows.forEach((row, r) => {
    const y = head + r * ROW;
    parts.push(svgText(left - GAP, y + 12, row.label, { anchor: "end" }));
    row.cells.forEach((cells, i) => {
      if (!cells.length || isOpen(row, i))
        parts.push(svgText(places[i] + CELL * (cells.length + 0.5), y + 12, isOpen(row, i) ? "\u2026" : "\u00b7", { anchor: "middle" }));
      cells.forEach((cell, k) => parts.push(letter(places[i] + k * CELL, y, cell)));
    });
  });
  let x = MARGIN, y = bottom;
  for (const outcome of used) {
    const wide = CELL + 5 + width(outcome.name) + GAP;
    if (x + wide > total && x > MARGIN) {
      x = MARGIN;
      y += ROW;
    }
    parts.push(letter(x, y, [outcome.letter, outcome.group]), svgText(x + CELL + 5, y + 12, outcome.name));
    x += wide;
  }
  const height = y + ROW + MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(total)}" height="${Math.ceil(height)}" viewBox="0 0 ${Math.ceil(total)} ${Math.ceil(height)}">`
    + `<rect width="100%" height="100%" fill="#ffffff"/>${parts.join("")}</svg>`;
}
