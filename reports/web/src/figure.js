// A figure: drawing, what is not drawn, the same data as a table, where the data is and what made it.
import { outcomeMatrix } from "./outcome_matrix.js";
import { curvesChart } from "./charts/curves.js";
import { scalingChart } from "./charts/scaling.js";
import { seriesChart } from "./charts/series.js";
import { workPrecisionChart } from "./charts/work_precision.js";
import { h } from "./dom.js";
import { renderTable } from "./table.js";

const DRAW = {
  outcomes: outcomeMatrix,
  "work-precision": workPrecisionChart,
  series: seriesChart,
  scaling: scalingChart,
  curves: curvesChart,
};

function asTable(figure) {
  if (figure.drawn_as === "outcomes") return null;  // is one already
  const details = h("details", {}, h("summary", {}, `The same as a table (${figure.table.rows.length} rows)`));
  details.addEventListener("toggle", () => details.append(renderTable(figure.table)), { once: true });
  return details;
}

function source(figure) {
  return h("p", { class: "source" },
    figure.csv ? ["Data: ", h("a", { href: `csv/${figure.csv}` }, `csv/${figure.csv}`)] : null,
    figure.command ? [" made by ", h("code", {}, figure.command)] : null);
}

export function renderFigure(figure) {
  return h("figure", {},
    h("h4", {}, figure.title),
    h("p", { class: "summary" }, figure.summary),
    DRAW[figure.drawn_as](figure),
    h("figcaption", {},
      figure.notes.length ? h("ul", { class: "notes" }, figure.notes.map((note) => h("li", {}, note))) : null,
      asTable(figure),
      source(figure)));
}
