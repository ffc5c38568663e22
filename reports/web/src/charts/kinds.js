// The function that draws each kind of figure. It returns { series, views, axes, options }: see chart.js.
import { distribution } from "./distribution.js";
import { history } from "./history.js";
import { scaling } from "./scaling.js";
import { series } from "./series.js";
import { workPrecision } from "./work_precision.js";

const KINDS = { distribution, history, scaling, series, "work-precision": workPrecision };

export const drawing = (figure) => KINDS[figure.drawn_as](figure);
