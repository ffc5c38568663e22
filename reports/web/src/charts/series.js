// One of several quantities over time: error, drift of constraints, drift of energy. Logarithmic unless data.axes says otherwise.
import { axis, escapeHtml, fits, frame, linearAxis } from "./axes.js";
import { line } from "./line.js";

const curve = (series, quantity, type) => line(series, 1.4, (style) => ({
  // Every sample can be pointed at; one in ten has a marker, at other samples for each curve.
  symbolSize: (_, { dataIndex }) => (dataIndex % 10 === style.phase % 10 ? 9 : 2),
  showSymbol: true,
  showAllSymbol: true,
  connectNulls: false,
  data: series.times.map((time, i) => {
    const value = series.values[quantity][i];
    return [time, value === null ? null : fits(type, value)];
  }),
}));

export function series(figure) {
  const { series: all, quantities } = figure.data;
  const isEmpty = (quantity) => !all.some((one) => one.values[quantity].some((value) => value !== null));
  return { series: all, views: quantities, isEmpty, firstView: Math.max(0, quantities.findIndex((_, i) => !isEmpty(i))),
    axes: { y: "log", ...figure.data.axes }, options: ({ series: visible, view, axes }) => {
      // The first sample is round-off, which would take up half of a logarithmic axis.
      const from = axes.y === "log" ? 1 : 0;
      const later = all.flatMap((one) => one.values[view].slice(from).filter((value) => value !== null));
      const values = later.length ? later : all.flatMap((one) => one.values[view].filter((value) => value !== null));
      const base = frame(linearAxis("time [s]"), axis(axes.y, quantities[view], values));
      base.tooltip.formatter = (item) =>
        `<b>${escapeHtml(item.seriesName)}</b><br>t = ${item.value[0]} s: ${Number(item.value[1]).toExponential(2)}`;
      return { ...base, series: visible.map((one) => curve(one, view, axes.y)) };
    } };
}
