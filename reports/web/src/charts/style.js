// The one place that gives a family of methods its colour, dashes and marker: the same in every store, light and dark. Colours of
// Okabe and Ito and of Tol's muted scheme, which colour-blind readers can distinguish.
import { isDark } from "../theme.js";

// [colour on light, on dark, marker, dashes]
const FAMILIES = {
  "articulated-body": ["#0072b2", "#56b4e9", 0, 0],
  "cartesian-dae": ["#d55e00", "#ff8a3d", 1, 1],
  "riccati-mstmm": ["#009e73", "#1fc79a", 2, 0],
  "composite-body": ["#7a3db8", "#b98cf0", 5, 2],
  "classical-mstmm": ["#cc79a7", "#e59cc4", 3, 1],
  "kane-huston": ["#b07800", "#f0b429", 4, 0],
  "equivalent-particles": ["#8c564b", "#d0a093", 5, 1],
  variational: ["#2f6f6f", "#74c4c4", 4, 1],
  "lie-generalised-alpha": ["#7a2d7a", "#c98bc9", 2, 1],
  "half-explicit": ["#4b6a00", "#a8c94a", 3, 3],
  "index3-direct": ["#a33b20", "#f2a48f", 0, 1],
  "natural-coordinates": ["#1f5fa8", "#8fbcf0", 4, 2],
  "steady-state-newton": ["#777777", "#a9b0b7", 0, 2],
  // engines
  simbody: ["#882255", "#c7639a", 1, 2],
  mujoco: ["#999933", "#c5c56a", 2, 2],
  dart: ["#332288", "#8f86e0", 3, 2],
  kdl: ["#2e7d32", "#81c784", 5, 4],
  "mujoco-node": ["#5d6b00", "#d9e06b", 3, 4],
  bullet: ["#b23a6f", "#e58ab5", 4, 4],
  "open-dynamics": ["#546e7a", "#a7bcc6", 0, 4],
  siconos: ["#3f51b5", "#9fa8da", 2, 4],
};
// The styles of plug-ins.
const RESERVE = [["#44aa99", "#6fd6c4", 4, 3], ["#cc6677", "#e0929c", 5, 3], ["#117733", "#4fb56f", 0, 3], ["#000000", "#ffffff", 1, 3],
  ["#6b4c1e", "#c9a26b", 2, 3], ["#a0307f", "#e07bc4", 3, 3]];
const ARCHIVED = ["#a3a9b0", "#6b737c"];  // greys
const ALL = [...Object.values(FAMILIES), ...RESERVE];

const hash = (text) => [...text].reduce((sum, c) => (31 * sum + c.codePointAt(0)) % 9973, 7);
const styleOf = (family) => FAMILIES[family] ?? RESERVE[hash(family) % RESERVE.length];

// The name in ECharts or the path in a box of 2 x 2, and the same shape in a legend of 16 x 16.
const MARKERS = [
  { symbol: "circle", path: "M8 4a4 4 0 1 0 .01 0z" },
  { symbol: "rect", path: "M4 4h8v8h-8z" },
  { symbol: "triangle", path: "M8 3.5l4.5 8.5h-9z" },
  { symbol: "diamond", path: "M8 3l4.5 5-4.5 5-4.5-5z" },
  { symbol: "path://M-1,-1L1,-1L0,1Z", path: "M3.5 4h9l-4.5 8.5z" },
  { symbol: "path://M-1,-.3L-.3,-.3L-.3,-1L.3,-1L.3,-.3L1,-.3L1,.3L.3,.3L.3,1L-.3,1L-.3,.3L-1,.3Z", path: "M6.5 3.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z" },
];
const DASHES = ["solid", "dashed", "dotted", [8, 3, 2, 3], [2, 4]];

export const familyOf = (series) => series.family ?? series.method?.split(":")[0];

// A series has the style of its family. Where it is one of several of a family, `variant` changes its dashes and `symbol` its marker;
// one without a method has a number as `color`, and one from an archive is grey.
export function curveStyle(series) {
  const family = familyOf(series);
  const [light, dark, marker, dash] = family === undefined ? ALL[(series.color ?? 0) % ALL.length] : styleOf(family);
  const own = isDark() ? dark : light, { symbol, path } = MARKERS[(series.symbol ?? marker) % MARKERS.length];
  return { color: series.archived ? ARCHIVED[Number(isDark())] : own, symbol, path,
    dash: DASHES[(dash + (series.variant ?? 0)) % DASHES.length],
    phase: hash(series.name ?? "") };
}

// A dash in the notation of SVG.
export const dashArray = (dash) => ({ dashed: "5 3", dotted: "2 2" }[dash] ?? (Array.isArray(dash) ? dash.join(" ") : null));
