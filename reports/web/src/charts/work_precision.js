// Error, or one of the drifts, against CPU time, log-log; error bars from the fastest round to the upper quartile.
import { color } from "../theme.js";
import { axis, decades, formatSecondsTick, formatTick, frame, logAxis } from "./axes.js";
import { parameter } from "../router.js";
import { line, pointed } from "./line.js";
import { curveStyle } from "./style.js";

// A point: [seconds, error, upper quartile of seconds, 1 when ok, text, energy drift, position drift, velocity drift, route,
// evaluations, steps, further quantities]; null where there is none. The place of each quantity in it:
const PLACES = [1, 5, 6, 7];
const FURTHER = 11;  // the first of the others
const placeOf = (view) => PLACES[view] ?? FURTHER + view - PLACES.length;
// What the horizontal axis shows, and its place in a point.
export const AGAINST = [{ label: "CPU time", place: 0, axis: "CPU time, minimum over rounds", tick: formatSecondsTick }, { label: "evaluations", place: 9, axis: "evaluations of the equations", tick: formatTick },
  { label: "steps", place: 10, axis: "steps of the integrator", tick: formatTick }];

// The cell that the address names is drawn larger.
const isMarked = (point) => Boolean(parameter("mark")) && (point[8] ?? "").endsWith(`/${parameter("mark")}`);
export const holdsMarked = ({ series }) => series.some(({ points }) => points.some(isMarked));

const curve = (series, place, x) => line(series, 1.8, (style) => ({
  data: series.points.filter((point) => point[place] !== null && point[x] !== null).map((point) => ({
    value: [point[x], point[place]], route: point[8], symbolSize: isMarked(point) ? 20 : 9,
    text: place === 1 ? point[4] : `${point[4]}; here ${point[place].toExponential(1)}`,
    itemStyle: point[3] ? { color: style.color } : { color: color("page"), borderColor: style.color, borderWidth: 1.8 } })),
}));

function errorBars(series, place) {
  const stroke = curveStyle(series).color;
  return {
    name: series.name,
    type: "custom",
    silent: true,
    tooltip: { show: false },
    encode: { x: [0, 2], y: 1 },
    data: series.points.filter((point) => point[0] !== null && point[2] > point[0] && point[place] !== null).map((point) => [point[0], point[place], point[2]]),
    renderItem(_, api) {
      const [from, y] = api.coord([api.value(0), api.value(1)]);
      const [to] = api.coord([api.value(2), api.value(1)]);
      const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style: { stroke, lineWidth: 1 } });
      return { type: "group", children: [line(from, y, to, y), line(to, y - 3, to, y + 3)] };
    },
  };
}

// The errors at which times are compared, and the error below which all are equally good.
function guides({ levels, floor, below_floor: below }, { min: left, max: right }, range) {
  const label = (text) => ({ formatter: text, position: "insideStartTop", color: color("text-soft"), fontSize: 11 });
  return {
    type: "line",
    silent: true,
    data: [[left, range.min]],  // a series without a point draws no marks
    symbol: "none",
    tooltip: { show: false },
    markLine: { symbol: "none", silent: true, animation: false,
      lineStyle: { color: color("text-soft"), type: "dotted", width: 1 },
      data: levels.filter((level) => level > range.min && level < range.max)
        .map((level) => [{ coord: [left, level], label: label("compared here") }, { coord: [right, level] }]) },
    markArea: floor > range.min ? { silent: true, itemStyle: { color: color("floor") }, label: { position: "insideBottomRight",
      color: color("text-soft"), fontSize: 11, formatter: below },
      data: [[{ yAxis: range.min }, { yAxis: Math.min(floor, range.max) }]] } : undefined,
  };
}

// The value that most curves have, if several others differ there; the rest tells formulations and integrators apart.
function mostOf(series, name, other) {
  const held = new Map();
  for (const one of series) if (one[name]) held.set(one[name], (held.get(one[name]) ?? new Set()).add(one[other]));
  const [value, others] = [...held].reduce((best, one) => (one[1].size > best[1].size ? one : best), ["", new Set()]);
  return others.size > 1 ? [value] : [];
}

// The curves that a figure can show, the first by default: the last ones are one integrator on every formulation, and one
// formulation by every integrator.
export function levels({ data }) {
  const only = (is) => ({ ...data, series: data.series.filter(is) });
  return [...(data.best?.length ? [{ label: "best curve of each family", data: { ...data, series: data.best.map((i) => data.series[i]) } }] : []),
    { label: "every curve", data },
    ...mostOf(data.series, "integrator", "method").map((key) => ({ label: `every formulation by ${key}`, data: only(({ integrator }) => integrator === key) })),
    ...mostOf(data.series, "method", "integrator").map((key) => ({ label: `${key} by every integrator`, data: only(({ method }) => method === key) }))];
}

export function workPrecision(figure) {
  const { quantities } = figure.data, { place: x, axis: name, tick } = AGAINST[figure.against ?? 0];
  const series = figure.data.series.filter((one) => x !== 0 || !one.archived);  // whose times are never compared
  const all = series.flatMap((one) => one.points).filter((point) => point[x] !== null);
  const values = all.flatMap((point) => (x === 0 ? [point[0], point[2]] : [point[x]]));
  const valuesOf = (view) => all.map((point) => point[placeOf(view)]).filter((value) => value !== null);
  const isEmpty = (view) => !valuesOf(view).length;
  const ends = decades(values);
  return { series, views: quantities, isEmpty, firstView: Math.max(0, quantities.findIndex((_, i) => !isEmpty(i))), axes: { x: "log" },
    options: ({ series: visible, view, axes }) => {
      const place = placeOf(view), y = decades(valuesOf(view));
      const base = frame(axis(axes.x, name, values, tick), logAxis(view < PLACES.length ? `${quantities[view]}, largest over time` : quantities[view], y));
      base.tooltip.formatter = pointed;
      const left = axes.x === "log" ? ends.min : 0, right = axes.x === "log" ? ends.max : values.reduce((a, b) => Math.max(a, b), 0);
      const marks = view === 0 ? [guides(figure.data, { min: left, max: right }, y)] : [];
      return { ...base, series: [...marks, ...visible.flatMap((one) => [...(x === 0 ? [errorBars(one, place)] : []), curve(one, place, x)])] };
    } };
}
