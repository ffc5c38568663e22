// Curves and single marks over linear axes, one of several quantities: branches of steady states, trajectories, motions that settle.
import { frame, linearAxis } from "./axes.js";
import { line, pointed } from "./line.js";

// A point: [x, [value of each quantity, or null], text]; a point of nulls separates two parts of one curve.
const curve = (series, quantity) => line(series, series.marks_only ? 0 : 1.8, () => ({
  symbolSize: series.marks_only ? 10 : 5,
  showAllSymbol: true,
  connectNulls: false,
  data: series.points.map(([x, values, text]) => ({ value: [x, values[quantity]], text })),
}));

export function curves(figure) {
  const { series, x, quantities } = figure.data;
  return { series, views: quantities.length < 2 ? [] : quantities, axes: {}, options: ({ series: visible, view }) => {
    const base = frame(linearAxis(x), { ...linearAxis(quantities[view]), scale: true });
    base.tooltip.formatter = pointed;
    return { ...base, series: visible.map((one) => curve(one, view)) };
  } };
}
