// What each diagram of a paper shows of the data of the page's figures.
import { map } from "./map.js";
import { plot } from "./plot.js";

// Errors lie on the abscissa, as the field draws them, or on the ordinate. Without a time in the store the cost is the evaluations.
function workPrecision({ data }, width) {
  const shown = data.best.length ? data.best.map((i) => data.series[i]) : data.series;
  const hasTimes = shown.some(({ points }) => points.some(([seconds]) => seconds !== null)), cost = hasTimes ? 0 : 9;
  const turned = ([error, seconds]) => (data.swap ? [seconds, error] : [error, seconds]);
  const curves = shown.map((series) => ({ series, points: series.points.filter((point) => point[1] !== null && point[cost] !== null)
    .map((point) => [...turned([point[1], point[cost]]), { isFull: point[3] === 1, to: hasTimes && point[2] > point[0] ? turned([point[1], point[2]]) : undefined }]) }))
    .filter(({ points }) => points.length);
  const [x, y] = turned([{ name: "largest error over time" }, { name: hasTimes ? "CPU time [s]" : "evaluations of the equations" }]);
  return curves.length ? plot(width, { x, y, curves, errors: data.swap ? "y" : "x", levels: data.levels, floor: data.floor }) : "";
}

// Every step of a curve, with a marker at some of them and at its end.
function profile({ data }, width) {
  const curves = data.series.map((series, s) => {
    const points = series.steps;
    return { series, isStep: true, points: points.map(([cost, share], i) => [cost, share, { isBare: i !== points.length - 1 && i % 10 !== (3 * s) % 10 }]) };
  });
  return plot(width, { x: { name: "CPU time / (bodies \u00d7 end time / T) [s]" }, y: { name: "share of targets", isShare: true }, curves, open: data.open.share });
}

const costs = ({ data, one }, width) => plot(width, { x: { name: data.x }, y: { name: data.y }, one, curves: data.series.map((series) => ({ series, points: series.points })) });

const KINDS = { map, "work-precision": workPrecision, profile, costs };
export const draw = (figure, width) => KINDS[figure.kind](figure, width);
