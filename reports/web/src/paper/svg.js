// Parts of an SVG file for a paper. All lengths are in points, all type is of 8 pt.
export const TYPE = 8, LINE = 9.5;
const FONT = "Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif", INK = "#1b1f24";

// Without a browser no text can be measured. These are the widths of DejaVu Sans, the widest of the fonts above.
const CLASSES = [[/[iljI.,:;'|!]/, 0.3], [/[ftr()[\]/\- ]/, 0.4], [/[mwMW@%]/, 0.95], [/[A-Z]/, 0.7]];
export const widthOf = (text) => TYPE * [...text].reduce((sum, c) => sum + (CLASSES.find(([which]) => which.test(c))?.[1] ?? 0.63), 0);

// Lines no wider than `width`, broken after blanks and hyphens.
export function wrapped(text, width) {
  const lines = [""];
  for (const word of text.split(/(?<=[ -])/)) {
    if (lines.at(-1) && widthOf((lines.at(-1) + word).trimEnd()) > width) lines.push("");
    lines.push(lines.pop() + word);
  }
  return lines.map((line) => line.trim());
}

const fixed = (value) => Number(value.toFixed(2));
const attributes = (named) => Object.entries(named).map(([name, value]) => ` ${name}="${typeof value === "number" ? fixed(value) : value}"`).join("");
export const tag = (name, named, inner = "") => `<${name}${attributes(named)}>${inner}</${name}>`;
const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

// `turn` in degrees, about its anchor. "10^-5" has its exponent raised.
// What is wider than `most` is squeezed.
export function text(x, y, words, { anchor = "start", bold = false, turn = 0, most = Infinity } = {}) {
  const [base, exponent] = words.startsWith("10^") ? words.split("^") : [words];
  return tag("text", { x, y, "text-anchor": anchor, ...(bold ? { "font-weight": 700 } : {}), ...(widthOf(words) > most ? { textLength: most, lengthAdjust: "spacingAndGlyphs" } : {}), ...(turn ? { transform: `rotate(${turn} ${fixed(x)} ${fixed(y)})` } : {}) },
    escape(base) + (exponent ? tag("tspan", { dy: -3, "font-size": 6 }, escape(exponent)) : ""));
}

export const line = (x1, y1, x2, y2, more = {}) => tag("line", { x1, y1, x2, y2, stroke: INK, "stroke-width": 0.6, ...more });
export const rect = (x, y, width, height, more = {}) => tag("rect", { x, y, width, height, ...more });

// A marker of a curve, whose path lies in a box of 16 x 16. One that is not `full` is hollow.
export const marker = (x, y, { path, color }, isFull = true) => tag("path", { d: path, transform: `translate(${fixed(x - 4.4)} ${fixed(y - 4.4)}) scale(0.55)`,
  fill: isFull ? color : "#ffffff", stroke: color, "stroke-width": isFull ? 0.6 : 1.8 });

export const picture = (width, height, parts) => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}pt" height="${height}pt" viewBox="0 0 ${width} ${height}" `
  + `font-family="${FONT}" font-size="${TYPE}" fill="${INK}">${rect(0, 0, width, height, { fill: "#ffffff" })}${parts.flat(Infinity).join("")}</svg>\n`;
