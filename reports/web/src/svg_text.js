// A line of text of an SVG file for a paper.
export const FONT = "DejaVu Sans, Helvetica, Arial, sans-serif";

const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

// `turn` in degrees, about its beginning.
export function svgText(x, y, text, { anchor = "start", bold = false, turn = 0, color = "#1b1f24" } = {}) {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-family="${FONT}" font-size="11" fill="${color}" text-anchor="${anchor}"`
    + `${bold ? " font-weight=\"600\"" : ""}${turn ? ` transform="rotate(${turn} ${x.toFixed(1)} ${y.toFixed(1)})"` : ""}>${escape(text)}</text>`;
}
