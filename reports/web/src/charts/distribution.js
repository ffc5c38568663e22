// Fraction of targets against their cost: one step curve per method, in one of several views.
import { color } from "../theme.js";
import { axis, formatSecondsTick, formatTick, frame, linearAxis } from "./axes.js";
import { line, pointed } from "./line.js";
import { curveStyle } from "./style.js";

// A point: [cost, fraction, text]; the text of the last one gives the number of the other targets by reason.
function curve(series, view) {
  const points = series.views[view], last = points.length - 1;
  return line(series, 1.8, (style) => ({
    step: "end",
    symbolSize: (_, { dataIndex }) => (dataIndex === last ? 10 : dataIndex % 8 === style.phase % 8 ? 8 : 2),
    showAllSymbol: true,
    data: points.map(([cost, fraction, text], i) => ({ value: [cost, fraction], text: i === last && series.end ? `${text}; ${series.end}` : text })),
  }));
}

// The 95 % band of a curve: a polygon below the curves, shown while the curve is pointed at.
function band(series, view) {
  const fill = curveStyle(series).color;
  return { name: series.name, type: "custom", silent: true, tooltip: { show: false }, z: 1, clip: true,
    data: series.bands[view].length ? [series.bands[view].map((point) => point[0])] : [],
    renderItem(_, api) {
      const upper = series.bands[view].map(([x, , high]) => api.coord([x, high]));
      const lower = series.bands[view].map(([x, low]) => api.coord([x, low])).reverse();
      return { type: "polygon", shape: { points: [...upper, ...lower] }, style: { fill, opacity: 0 }, emphasis: { style: { opacity: 0.25 } } };
    } };
}

// Targets that no method has reached and whose cells were not run yet: the upper part of the frame, in grey.
function notRun({ share, text }) {
  return { type: "custom", silent: true, tooltip: { show: false }, z: 0, data: [[0, 0]],
    renderItem({ coordSys: { x, y, width, height } }) {
      return { type: "group", children: [
        { type: "rect", shape: { x, y, width, height: height * share }, style: { fill: color("text-soft"), opacity: 0.16 }, blur: { style: { opacity: 0.16 } } },
        { type: "text", style: { x: x + 6, y: y + 6, lineHeight: 15, text: text.replace(" or ", "\nor "), fill: color("text-soft"), fontSize: 12 }, blur: { style: { opacity: 1 } } }] };
    } };
}

export function distribution(figure) {
  const { series, views, open } = figure.data;
  return { series, views: views.length < 2 ? [] : views.map((view) => view.label), axes: { x: "log" }, options: ({ series: visible, view, axes }) => {
    const costs = series.flatMap((one) => one.views[view].map((point) => point[0]));
    const base = frame(axis(axes.x, views[view].x, costs, views[view].unit === "s" ? formatSecondsTick : formatTick),
      { ...linearAxis(views[view].y), min: 0, max: 1 });
    base.tooltip.formatter = pointed;
    return { ...base, series: [...(open?.share > 0 ? [notRun(open)] : []),
      ...visible.flatMap((one) => [...(one.bands ? [band(one, view)] : []), curve(one, view)])] };
  } };
}
