// Curves and lone marks over linear axes, one of several quantities: branches of steady states, trajectories, motions that settle.
import { escapeHtml, frame, linearAxis } from "./axes.js";
import { curveStyle } from "./style.js";

// A point: [x, [value of each quantity, or null], text]; a point of nulls parts two stretches of one curve.
function curve(series, quantity) {
  const style = curveStyle(series);
  return {
    name: series.name,
    type: "line",
    symbol: style.symbol,
    symbolSize: series.marks_only ? 10 : 5,
    showAllSymbol: true,
    lineStyle: { color: style.color, width: series.marks_only ? 0 : 1.8, type: style.dash },
    itemStyle: { color: style.color },
    emphasis: { focus: "series" },
    connectNulls: false,
    data: series.points.map(([x, values, text]) => ({ value: [x, values[quantity]], text })),
  };
}

export function curves(figure) {
  const { series, x, quantities } = figure.data;
  return { series, views: quantities.length < 2 ? [] : quantities, axes: {}, options: ({ series: visible, view }) => {
    const base = frame(linearAxis(x), { ...linearAxis(quantities[view]), scale: true });
    base.tooltip.formatter = (item) => `<b>${escapeHtml(item.seriesName)}</b><br>${escapeHtml(item.data.text)}`;
    return { ...base, series: visible.map((one) => curve(one, view)) };
  } };
}
