// Figures as SVG texts for papers, drawn without a browser: light, on white, with a legend inside.
import { drawing, isDrawn } from "./charts/kinds.js";
import { levels } from "./charts/work_precision.js";
import { init } from "./charts/echarts.js";
import { heatMapSvg } from "./paper_heat_map.js";
import { mechanismSvg } from "./paper_mechanism.js";
import { outcomesSvg } from "./paper_outcomes.js";
import { FONT } from "./svg_text.js";

const WIDTH = 900, HEIGHT = 480;
// Of the legend, in pixels; `character` is the mean width of one in DejaVu Sans: without a browser no text can be measured.
const LEGEND = { left: 40, width: WIDTH - 60, row: 20, mark: 30, gap: 24, character: 6.6 };

// Columns that are as wide as the longest name needs.
function legendOf(names) {
  const longest = LEGEND.character * Math.max(...names.map((name) => name.length)), width = LEGEND.mark + longest + LEGEND.gap;
  const columns = Math.max(1, Math.min(names.length, Math.floor((LEGEND.width + LEGEND.gap) / width)));
  const height = Math.ceil(names.length / columns) * LEGEND.row + 12;
  const legends = Array.from({ length: columns }, (_, k) => ({ data: names.filter((_, i) => i % columns === k), orient: "vertical",
    left: LEGEND.left + k * width, top: HEIGHT, itemHeight: 9, itemWidth: LEGEND.mark, itemGap: LEGEND.row - 11, selectedMode: false,
    textStyle: { fontSize: 11, fontFamily: FONT } }));
  return { legends, height };
}

function svgOf(options, names) {
  const { legends, height } = legendOf(names);
  const chart = init(null, null, { renderer: "svg", ssr: true, width: WIDTH, height: HEIGHT + height });
  // error bars have the name of their curve, but no line to show in a legend
  const series = options.series.map((one) => (one.type === "line" ? one : { ...one, name: undefined }));
  chart.setOption({ ...options, series, backgroundColor: "#ffffff", toolbox: undefined, tooltip: undefined,
    textStyle: { ...options.textStyle, fontFamily: FONT },
    grid: { ...options.grid, bottom: options.grid.bottom + height }, legend: legends });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

// What is no chart.
const OWN = { outcomes: outcomesSvg, player: mechanismSvg, "heat-map": heatMapSvg };

// [name of the view or nothing, SVG] of each view that shows something.
export function drawSvg(figure) {
  if (figure.drawn_as in OWN) {
    const svg = OWN[figure.drawn_as](figure);
    return svg ? [["", svg]] : [];
  }
  if (!isDrawn(figure)) return [];
  // of a work-precision diagram one curve per family of methods
  const data = figure.drawn_as === "work-precision" ? levels(figure)[0].data : figure.data;
  const { series, views = [], isEmpty = () => false, axes, options } = drawing({ ...figure, data });
  if (!series.length) return [];
  const all = views.length ? views.map((name, i) => [i, name]).filter(([i]) => !isEmpty(i)) : [[0, ""]];
  return all.map(([view, name]) => [all.length > 1 ? name.replace(/[^A-Za-z0-9]+/g, "_") : "",
    svgOf(options({ series, view, axes }), series.map((one) => one.name))]);
}
