// Curves and lone marks over linear axes, one of several quantities: branches of steady states, trajectories, motions that settle.
import { h } from "../dom.js";
import { escapeHtml, frame, linearAxis } from "./axes.js";
import { chart } from "./chart.js";
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

export function curvesChart(figure) {
  const { series, x, quantities } = figure.data;
  let chosen = 0;
  const controls = quantities.length < 2 ? null : (redraw) => {
    const group = h("div", { class: "choice", role: "group", "aria-label": "Quantity" });
    quantities.forEach((label, i) => group.append(h("button", { type: "button", "aria-pressed": String(i === chosen),
      onclick: () => {
        chosen = i;
        [...group.children].forEach((button, k) => button.setAttribute("aria-pressed", String(k === i)));
        redraw();
      } }, label)));
    return group;
  };
  return chart(figure.summary, series, (visible) => {
    const base = frame(linearAxis(x), { ...linearAxis(quantities[chosen]), scale: true });
    base.tooltip.formatter = (item) => `<b>${escapeHtml(item.seriesName)}</b><br>${escapeHtml(item.data.text)}`;
    return { ...base, series: visible.map((one) => curve(one, chosen)) };
  }, controls);
}
