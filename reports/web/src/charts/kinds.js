// The function that draws each kind of figure. It returns { series, views, axes, options }: see chart.js.
import { curves } from "./curves.js";
import { distribution } from "./distribution.js";
import { history } from "./history.js";
import { scaling } from "./scaling.js";
import { series } from "./series.js";
import { workPrecision } from "./work_precision.js";

const KINDS = { curves, distribution, history, scaling, series, "work-precision": workPrecision };

export const drawing = (figure) => KINDS[figure.drawn_as](figure);
