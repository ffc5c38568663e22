// Curves of points, each with a text of its own: cost or error against bodies.
import { axis, fits, frame } from "./axes.js";
import { line, pointed } from "./line.js";

// A point: [x, y, text]; one without y interrupts the line.
const curve = (series, axes) => line(series, 1.8, () => ({
  data: series.points.map(([x, y, text]) => ({ value: [fits(axes.x, x), fits(axes.y, y)], text })),
}));

export function scaling(figure) {
  const { series, x, y } = figure.data;
  const all = series.flatMap((one) => one.points).filter(([, value]) => value !== null);
  return { series, axes: { x: "log", y: "log" }, options: ({ series: visible, axes }) => {
    const base = frame(axis(axes.x, x, all.map((point) => point[0])),
      axis(axes.y, y, all.map((point) => point[1])));
    base.tooltip.formatter = pointed;
    return { ...base, series: visible.map((one) => curve(one, axes)) };
  } };
}
