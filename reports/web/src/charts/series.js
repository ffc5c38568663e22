// One of several quantities over time, logarithmic: error, drift of constraints, drift of energy.
import { h } from "../dom.js";
import { decades, escapeHtml, frame, linearAxis, logAxis } from "./axes.js";
import { chart } from "./chart.js";
import { curveStyle } from "./style.js";

function curve(series, quantity) {
  const style = curveStyle(series);
  return {
    name: series.name,
    type: "line",
    symbol: style.symbol,
    // every sample can be pointed at; one in ten is marked, each curve at other ones
    symbolSize: (_, { dataIndex }) => (dataIndex % 10 === (3 * series.symbol + series.color) % 10 ? 9 : 2),
    showSymbol: true,
    showAllSymbol: true,
    lineStyle: { color: style.color, width: 1.4, type: style.dash },
    itemStyle: { color: style.color },
    emphasis: { focus: "series" },
    connectNulls: false,
    data: series.times.map((time, i) => [time, series.values[quantity][i]]),
  };
}

export function seriesChart(figure) {
  const { series, quantities } = figure.data;
  const drawable = (quantity) => series.some((one) => one.values[quantity].some((value) => value !== null));
  let chosen = Math.max(0, quantities.findIndex((_, i) => drawable(i)));
  const controls = (redraw) => {
    const group = h("div", { class: "choice", role: "group", "aria-label": "Quantity" });
    quantities.forEach((label, i) => group.append(h("button", { type: "button", disabled: !drawable(i),
      "aria-pressed": String(i === chosen), onclick: () => {
        chosen = i;
        [...group.children].forEach((button, k) => button.setAttribute("aria-pressed", String(k === i)));
        redraw();
      } }, label)));
    return group;
  };
  return chart(figure.summary, series, (visible) => {
    const y = decades(series.flatMap((one) => one.values[chosen].filter((value) => value !== null)));
    const base = frame(linearAxis("time [s]"), logAxis(quantities[chosen], y));
    base.tooltip.formatter = (item) =>
      `<b>${escapeHtml(item.seriesName)}</b><br>t = ${item.value[0]} s: ${Number(item.value[1]).toExponential(2)}`;
    return { ...base, series: visible.map((one) => curve(one, chosen)) };
  }, controls);
}
