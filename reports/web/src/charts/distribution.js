// Fraction of targets against their cost: one step curve per method.
import { color } from "../theme.js";
import { axis, formatSecondsTick, frame, linearAxis } from "./axes.js";
import { line, pointed } from "./line.js";

// A point: [cost, fraction, text]; the text of the last one gives the number of the other targets by reason.
function curve(series) {
  const points = series.steps, last = points.length - 1;
  return line(series, 1.8, (style) => ({
    step: "end",
    symbolSize: (_, { dataIndex }) => (dataIndex === last ? 10 : dataIndex % 8 === style.phase % 8 ? 8 : 2),
    showAllSymbol: true,
    data: points.map(([cost, fraction, text], i) => ({ value: [cost, fraction], text: i === last && series.end ? `${text}; ${series.end}` : text })),
  }));
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
  const { series, x, y, open } = figure.data;
  return { series, axes: { x: "log" }, options: ({ series: visible, axes }) => {
    const costs = series.flatMap((one) => one.steps.map((point) => point[0]));
    const base = frame(axis(axes.x, x, costs, formatSecondsTick), { ...linearAxis(y), min: 0, max: 1 });
    base.tooltip.formatter = pointed;
    return { ...base, series: [...(open?.share > 0 ? [notRun(open)] : []), ...visible.map(curve)] };
  } };
}
