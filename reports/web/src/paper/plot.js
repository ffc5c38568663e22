// A diagram for a paper: curves over two axes, with a legend below.
import { decades } from "../charts/axes.js";
import { curveStyle, dashArray, familyOf } from "../charts/style.js";
import { LINE, line, marker, picture, rect, tag, text, widthOf } from "./svg.js";

const SOFT = "#6b747d", GRID = "#dfe3e8", GAP = 4;

const powerOfTen = (exponent) => (exponent >= 0 && exponent <= 2 ? String(10 ** exponent) : `10^${exponent < 0 ? "\u2212" : ""}${Math.abs(exponent)}`);

// Whole decades around the values; a line at each, and as many labels as there is room for.
function logarithmic(values, length, space) {
  const { min, max } = decades(values), from = Math.round(Math.log10(min)), to = Math.round(Math.log10(max));
  const step = Math.ceil((to - from) * space / length);
  const ticks = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return { share: (value) => (Math.log10(value) - from) / (to - from), min, max,
    ticks: ticks.map((exponent) => ({ value: 10 ** exponent, label: (exponent - from) % step === 0 ? powerOfTen(exponent) : "" })),
    minor: to - from > 5 ? [] : ticks.slice(0, -1).flatMap((exponent) => [2, 3, 4, 5, 6, 7, 8, 9].map((digit) => digit * 10 ** exponent)) };
}

const shares = () => ({ share: (value) => value, min: 0, max: 1, minor: [],
  ticks: [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => ({ value, label: `${Math.round(100 * value)} %` })) });

// Columns as wide as the longest name. A curve of one point has no line.
function legend(curves, width) {
  const column = 24 + Math.max(...curves.map(({ name }) => widthOf(name))) + 6, columns = Math.max(1, Math.min(curves.length, Math.floor((width + 6) / column)));
  const rows = Math.ceil(curves.length / columns);
  return { height: rows * LINE + GAP, at: (left, top) => curves.map(({ name, style, points, width: stroke }, i) => {
    const x = left + column * Math.floor(i / rows), y = top + LINE * (i % rows) + LINE / 2;
    return [points.length > 1 ? line(x, y, x + 20, y, { stroke: style.color, "stroke-width": stroke, "stroke-dasharray": dashArray(style.dash) ?? "none" }) : "",
      marker(x + 10, y, style), text(x + 24, y + 2.8, name, { most: width - 26 })];
  }) };
}

// An axis is { name, isShare }. A curve is { series, points: [[x, y, { isFull, to, isBare }]], isStep }; one point without y interrupts its line.
// `levels` are dotted lines and `floor` a grey field of the axis "x" or "y" that shows errors; `open` is a grey field at the top.
export function plot(width, { x, y, curves, errors, levels = [], floor, open, one }) {
  // Where each curve is the only one of its family, it has the marker of the family, and else that of its integrator.
  const families = new Set(curves.map(({ series }) => familyOf(series))), isPlain = families.size === curves.length;
  const all = curves.map((curve) => ({ ...curve, name: curve.series.name, style: curveStyle(isPlain ? { name: curve.series.name, family: familyOf(curve.series) } : curve.series), width: 1.1 }));
  const points = all.flatMap((curve) => curve.points).filter((point) => point[1] !== null);
  const key = legend(all, width - 8), tall = Math.round(width * (width < 400 ? 0.66 : 0.5)), top = 6, right = width - 10;
  const valuesOf = (k) => points.flatMap((point) => [point[k], ...(point[2]?.to?.[k] ? [point[2].to[k]] : [])]);
  const across = x.isShare ? shares() : logarithmic(valuesOf(0), width - 60, 24), up = y.isShare ? shares() : logarithmic([...valuesOf(1), ...(one ? [1] : [])], tall, 12);
  const left = LINE + GAP + 4 + Math.max(...up.ticks.map(({ label }) => widthOf(label.replace("^", "")))), bottom = top + tall;
  const toX = (value) => left + (right - left) * across.share(value), toY = (value) => bottom - tall * up.share(value);
  const inside = (level) => { const axis = errors === "x" ? across : up; return level > axis.min && level < axis.max; };
  const place = (point) => [toX(point[0]), toY(point[1])];
  const parts = [];
  if (floor && floor > (errors === "x" ? across : up).min) {
    const end = Math.min(floor, (errors === "x" ? across : up).max);
    parts.push(errors === "x" ? rect(left, top, toX(end) - left, tall, { fill: "#eceef0" }) : rect(left, toY(end), right - left, bottom - toY(end), { fill: "#eceef0" }));
  }
  if (open > 0) parts.push(rect(left, top, right - left, tall * open, { fill: "#eceef0" }));
  for (const { value, label } of across.ticks) parts.push(line(toX(value), top, toX(value), bottom, { stroke: GRID, "stroke-width": 0.4 }), line(toX(value), bottom, toX(value), bottom + 3), text(toX(value), bottom + 12, label, { anchor: "middle" }));
  for (const { value, label } of up.ticks) parts.push(line(left, toY(value), right, toY(value), { stroke: GRID, "stroke-width": 0.4 }), line(left - 3, toY(value), left, toY(value)), text(left - 5, toY(value) + 2.8, label, { anchor: "end" }));
  for (const value of across.minor) parts.push(line(toX(value), bottom, toX(value), bottom + 1.6, { "stroke-width": 0.4 }));
  for (const value of up.minor) parts.push(line(left - 1.6, toY(value), left, toY(value), { "stroke-width": 0.4 }));
  for (const level of levels.filter(inside)) parts.push(errors === "x" ? line(toX(level), top, toX(level), bottom, { stroke: SOFT, "stroke-dasharray": "1 2" }) : line(left, toY(level), right, toY(level), { stroke: SOFT, "stroke-dasharray": "1 2" }));
  if (one) parts.push(line(left, toY(1), right, toY(1), { stroke: SOFT }));
  parts.push(rect(left, top, right - left, tall, { fill: "none", stroke: "#1b1f24", "stroke-width": 0.6 }));
  for (const { points: own, style, isStep, width: stroke } of all) {
    let path = "", isOn = false;
    for (const point of own) {
      if (point[1] === null) { isOn = false; continue; }
      const [px, py] = place(point).map((value) => Number(value.toFixed(2)));
      path += isOn ? (isStep ? `H${px}V${py}` : `L${px} ${py}`) : `M${px} ${py}`;
      isOn = true;
    }
    parts.push(tag("path", { d: path, fill: "none", stroke: style.color, "stroke-width": stroke, "stroke-dasharray": dashArray(style.dash) ?? "none", "stroke-linejoin": "round" }));
    for (const point of own.filter((at) => at[1] !== null)) {
      const [px, py] = place(point), { isFull = true, to, isBare = false } = point[2] ?? {};
      if (to) parts.push(line(px, py, toX(to[0]), toY(to[1]), { stroke: style.color }));
      if (!isBare) parts.push(marker(px, py, style, isFull));
    }
  }
  parts.push(text((left + right) / 2, bottom + 23, x.name, { anchor: "middle" }), text(LINE - 2, (top + bottom) / 2, y.name, { anchor: "middle", turn: -90 }));
  return picture(width, Math.ceil(bottom + 28 + key.height), [...parts, key.at(4, bottom + 27)]);
}
