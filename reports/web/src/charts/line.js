// The common part of the curves of all charts.
import { escapeHtml } from "./axes.js";
import { curveStyle } from "./style.js";

// `more` gets the style of the curve.
export function line(series, width, more) {
  const style = curveStyle(series);
  return { name: series.name, type: "line", z: series.archived ? 1 : 2, symbol: style.symbol, symbolSize: 9, lineStyle: { color: style.color, width, type: style.dash },
    itemStyle: { color: style.color }, emphasis: { focus: "series" }, ...more(style) };
}

// The name of the curve and the text of the point.
export const pointed = (item) => `<b>${escapeHtml(item.seriesName)}</b><br>${escapeHtml(item.data.text)}`;
