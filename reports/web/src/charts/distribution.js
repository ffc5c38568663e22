// Fraction of targets over what they cost: one step curve per method, in one of several views.
import { axis, escapeHtml, formatSecondsTick, formatTick, frame, linearAxis } from "./axes.js";
import { curveStyle } from "./style.js";

// A point: [cost, fraction, text]; the curve runs on at its last height to the right end.
function curve(series, view, right) {
  const style = curveStyle(series);
  const points = series.views[view];
  const last = points.at(-1);
  const data = points.map(([cost, fraction, text]) => ({ value: [cost, fraction], text }));
  if (last && last[0] < right) data.push({ value: [right, last[1]], text: last[2], symbolSize: 0 });
  return {
    name: series.name,
    type: "line",
    step: "end",
    symbol: style.symbol,
    symbolSize: (_, { dataIndex }) => (dataIndex % 8 === style.phase % 8 ? 8 : 2),
    showAllSymbol: true,
    lineStyle: { color: style.color, width: 1.8, type: style.dash },
    itemStyle: { color: style.color },
    emphasis: { focus: "series" },
    data,
  };
}

// The 95 % band of a curve: a polygon behind it.
function band(series, view, color) {
  return { name: series.name, type: "custom", silent: true, tooltip: { show: false }, z: 1, clip: true,
    data: series.bands[view].length ? [series.bands[view].map((point) => point[0])] : [],
    renderItem(_, api) {
      const upper = series.bands[view].map(([x, , high]) => api.coord([x, high]));
      const lower = series.bands[view].map(([x, low]) => api.coord([x, low])).reverse();
      return { type: "polygon", shape: { points: [...upper, ...lower] }, style: { fill: color, opacity: 0.13 } };
    } };
}

export function distribution(figure) {
  const { series, views } = figure.data;
  return { series, views: views.length < 2 ? [] : views.map((view) => view.label), axes: { x: "log" }, options: ({ series: visible, view, axes }) => {
    const costs = series.flatMap((one) => one.views[view].map((point) => point[0]));
    const right = costs.reduce((a, b) => Math.max(a, b), 0);
    const base = frame(axis(axes.x, views[view].x, costs, views[view].unit === "s" ? formatSecondsTick : formatTick),
      { ...linearAxis(views[view].y), min: 0, max: 1 });
    base.tooltip.formatter = (item) => `<b>${escapeHtml(item.seriesName)}</b><br>${escapeHtml(item.data.text)}`;
    return { ...base, series: visible.flatMap((one) => [...(one.bands ? [band(one, view, curveStyle(one).color)] : []),
      curve(one, view, axes.x === "log" ? base.xAxis.max : right)]) };
  } };
}
