// Cost against bodies, log-log.
import { decades, escapeHtml, formatSecondsTick, formatTick, frame, logAxis } from "./axes.js";
import { chart } from "./chart.js";
import { curveStyle } from "./style.js";

// A point: [bodies, cost, text]
function curve(series) {
  const style = curveStyle(series);
  return {
    name: series.name,
    type: "line",
    symbol: style.symbol,
    symbolSize: 9,
    lineStyle: { color: style.color, width: 1.8, type: style.dash },
    itemStyle: { color: style.color },
    emphasis: { focus: "series" },
    data: series.points.map(([bodies, cost, text]) => ({ value: [bodies, cost], text })),
  };
}

export function scalingChart(figure) {
  const { series, x, y, unit } = figure.data;
  const all = series.flatMap((one) => one.points);
  const ranges = [decades(all.map((point) => point[0])), decades(all.map((point) => point[1]))];
  return chart(figure.summary, series, (visible) => {
    const base = frame(logAxis(x, ranges[0]), logAxis(y, ranges[1], unit === "s" ? formatSecondsTick : formatTick));
    base.tooltip.formatter = (item) => `<b>${escapeHtml(item.seriesName)}</b><br>${escapeHtml(item.data.text)}`;
    return { ...base, series: visible.map(curve) };
  });
}
