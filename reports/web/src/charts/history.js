// Ratios over numbered runs, errors on a logarithmic scale. A value at 1 has not changed. Larger marks: change points.
import { decades, frame, linearAxis, logAxis } from "./axes.js";
import { line, pointed } from "./line.js";

// A point: [run, ratio, text, changed]
const curve = (series) => line(series, 1.4, () => ({
  symbolSize: (_, { data }) => (data.changed ? 16 : 7),
  data: series.points.map(([run, ratio, text, changed]) => ({ value: [run, ratio], text, changed })),
}));

// The width of a line, relative to a ratio near 1 on a linear axis.
const LINE = 0.003;

// At least five percent to each side, so that noise does not fill the chart. The ends are no round numbers and have no label.
function range(values) {
  const margin = 1.1 * Math.max(0.05, ...values.map((value) => Math.abs(value - 1)));
  return { axisLabel: { ...linearAxis("").axisLabel, showMinLabel: false, showMaxLabel: false },
    min: Math.max(0, Math.floor(100 * (1 - margin)) / 100), max: Math.ceil(100 * (1 + margin)) / 100 };
}

export function history(figure) {
  const { series, x, y, scale } = figure.data;
  const ratios = (values) => (scale === "log" ? logAxis(y, decades([1, ...values])) : { ...linearAxis(y), ...range(values) });
  const drawn = scale === "log" ? series : series.map((one) => ({ ...one, width: LINE }));
  return { series: drawn, axes: {}, options: ({ series: visible }) => {
    const points = visible.flatMap((one) => one.points);
    const base = frame({ ...linearAxis(x), minInterval: 1, scale: true }, ratios(points.map((point) => point[1])));
    base.tooltip.formatter = pointed;
    return { ...base, series: visible.map(curve) };
  } };
}
