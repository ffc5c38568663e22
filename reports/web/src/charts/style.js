// Colour by method; marker and dashes by integrator. The colours are those of Okabe and Ito, which colour-blind readers can tell apart;
// yellow, too weak on white, is left out; then those of Tol's muted scheme.
import { isDark } from "../theme.js";

const LIGHT = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
  "#882255", "#999933", "#332288", "#44aa99", "#cc6677", "#777777", "#117733"];
const DARK = ["#56b4e9", "#ff8a3d", "#1fc79a", "#e59cc4", "#f0b429", "#7aa6ff", "#ffffff",
  "#c7639a", "#c5c56a", "#8f86e0", "#6fd6c4", "#e0929c", "#a9b0b7", "#4fb56f"];

// ECharts' own names or paths in a box of 2 x 2, and what draws the same in a legend of 16 x 16.
const MARKERS = [
  { symbol: "circle", path: "M8 4a4 4 0 1 0 .01 0z" },
  { symbol: "rect", path: "M4 4h8v8h-8z" },
  { symbol: "triangle", path: "M8 3.5l4.5 8.5h-9z" },
  { symbol: "diamond", path: "M8 3l4.5 5-4.5 5-4.5-5z" },
  { symbol: "path://M-1,-1L1,-1L0,1Z", path: "M3.5 4h9l-4.5 8.5z" },
  { symbol: "path://M-1,-.3L-.3,-.3L-.3,-1L.3,-1L.3,-.3L1,-.3L1,.3L.3,.3L.3,1L-.3,1L-.3,.3L-1,.3Z", path: "M6.5 3.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z" },
];
const DASHES = ["solid", "dashed", "dotted", [8, 3, 2, 3], [2, 4]];

export function curveStyle(series) {
  const colors = isDark() ? DARK : LIGHT;
  // more methods than colours: the same colour comes again with the other half of the markers
  const again = Math.floor(series.color / colors.length) * (MARKERS.length / 2);
  const marker = MARKERS[(series.symbol + again) % MARKERS.length];
  return {
    color: colors[series.color % colors.length],
    symbol: marker.symbol,
    path: marker.path,
    dash: DASHES[series.symbol % DASHES.length],
  };
}
