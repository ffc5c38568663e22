// The overview: one screen of tiles, with all explanations under "How to read this".
import { chart, choice, swatch } from "./charts/chart.js";
import { dashArray, curveStyle } from "./charts/style.js";
import { drawing } from "./charts/kinds.js";
import { copyButton } from "./cell.js";
import { h, svg } from "./dom.js";
import { asTable, source } from "./figure.js";
import { isShown } from "./filters.js";
import { inline } from "./inline.js";
import { onLeave } from "./leave.js";
import { pageLink } from "./link.js";
import { blockId, parameter, setParameter } from "./router.js";
import { jumps } from "./section.js";
import { renderTable } from "./table.js";
import { onThemeChange } from "./theme.js";

function status({ data }) {
  return h("ul", { class: "status" }, data.items.map(({ label, value, tone, more, route }) =>
    h("li", { class: tone ? `tone-outcome-${tone}` : undefined, title: more || undefined }, h("span", {}, label), " ", route ? pageLink(route, value) : value)),
  h("li", { title: data.citation }, copyButton(data.citation, "Copy citation")));
}

const BINS = { x: [1.1, 2, 5, 20], "": [1e-11, 1e-9, 1e-6, 1e-4] };  // of a ratio, of a value
const heatOf = (unit, value) => BINS[unit].findIndex((limit) => value <= limit) + 1 || 5;
const short = (unit, value) => (value === null ? "\u221e" : unit === "x" ? (value < 9.995 ? value.toFixed(2) : value < 99.95 ? value.toFixed(1) : value.toFixed(0))
  : value === 0 ? "0" : value.toExponential(0));
const HATCHES = { "not reached": "not reached", "not found": "not found", "too long": "too long", failed: "failed", refused: "refused", "not run or timed yet": "not yet", skipped: "skipped", "not planned": "not planned", "the only method run": "no rival" };
const hatchOf = (reason) => `hatch-${reason.replaceAll(" ", "-")}`;

// `scale`: "heat", or "engine" for the colours of engines. `open` shows the problems of the field.
function field(measure, kind, family, scale, [median, low, high, reached, taken, reason, marks], isOpen, open) {
  const isHatched = median === null;
  const text = isHatched ? HATCHES[reason] ?? "none" : `${short(measure.unit, median)}${marks}`;
  const range = isHatched || reached < 2 ? "" : `, ${short(measure.unit, low)} to ${short(measure.unit, high)}`;
  const label = `${family}, ${kind}, ${measure.label}: ${isHatched && reason ? reason : text}${range}, ${reached}/${taken}`;
  return h("button", { type: "button", class: `field ${isHatched ? `hatch ${hatchOf(reason || "none")}` : `${scale}-${heatOf(measure.unit, median)}`}${reached === 1 ? " single" : ""}`,
    "aria-label": label, title: label, "aria-expanded": String(isOpen), onclick: open }, h("b", {}, text), h("span", {}, `${reached}/${taken}`));
}

// Its problems, as a table.
function problemsOf({ data }, m, k, f) {
  const entries = data.fields[m][k][f][7], named = (i) => data.names[i];
  const table = { caption: `${data.families[f]}, ${data.kinds[k]}: ${data.measures[m].title}`, csv: "",
    columns: [{ label: "problem" }, { label: "value" }, { label: "time" }, { label: "rounds, verdict" }, { label: "by" }, { label: "relative to" }],
    rows: entries.map(([problem, ...rest]) => [[named(problem), null, "", data.routes[named(problem)] ?? ""], ...rest.slice(0, 5).map((i) => named(i) || "-")]) };
  return entries.length ? renderTable(table) : h("p", {}, "It was run on no problem of this kind.");
}

function legend({ unit }, scales, marks) {
  const names = [...BINS[unit].map((limit) => `up to ${unit ? limit : limit.toExponential(0)}`), "more"];
  return h("p", { class: "heat-legend" }, scales.map((scale) => [scale === "engine" ? h("span", { class: "marks" }, "engines:") : null,
    names.map((name, i) => h("span", { class: `${scale}-${i + 1}` }, name))]).flat(2), h("span", { class: "marks" }, marks));
}

function heatMap(figure) {
  const { measures, kinds, families, fields, engines, marks } = figure.data;
  const shown = families.map((_, f) => f).filter((f) => isShown({ family: families[f] }));
  const isEngine = (f) => f >= families.length - engines;
  const place = h("div"), heading = h("h4"), problems = h("div", { class: "field-problems" });
  let kind = 0;  // the one that narrow screens show
  let common = false;  // only problems that all families shown have reached
  let opened = null;  // the field whose problems are listed
  const column = (k) => (k === kind ? undefined : "other-kind");
  const pick = h("select", { class: "pick-kind", "aria-label": "Kind of mechanism", onchange: () => {
    kind = pick.selectedIndex;
    draw(shownMeasure());
  } }, kinds.map((name) => h("option", {}, name)));
  // The median over the problems that all families with a value there have reached.
  const restricted = (m, k, f) => {
    const whole = fields[m][k][f];
    if (!common) return whole;
    const reachedBy = (g) => new Map(fields[m][k][g][7].filter((entry) => entry[6] !== null).map((entry) => [entry[0], entry[6]]));
    const all = shown.filter((g) => !isEngine(g) && fields[m][k][g][3] > 0).map(reachedBy);
    const own = [...reachedBy(f)].filter(([problem]) => all.every((others) => others.has(problem))).map(([, value]) => value).sort((a, b) => a - b);
    if (!own.length) return [null, null, null, 0, whole[4], whole[0] === null ? whole[5] : "not reached by all", "", []];
    return [(own[(own.length - 1) >> 1] + own[own.length >> 1]) / 2, own[0], own.at(-1), own.length, whole[4], "", whole[6], whole[7]];
  };
  const row = (m, f, firstEngine) => h("tr", { class: f === firstEngine && engines < families.length ? "engines" : undefined },
    h("th", { scope: "row" }, swatch({ name: families[f], family: families[f] }), families[f],
      measures[m].remarks[f] ? h("span", { class: "on", title: measures[m].remarks[f] }, measures[m].remarks[f]) : null),
    kinds.map((name, k) => {
      const isOpen = opened !== null && opened[0] === k && opened[1] === f;
      return h("td", { class: column(k) }, field(measures[m], name, families[f], isEngine(f) ? "engine" : "heat", restricted(m, k, f), isOpen, () => {
        opened = isOpen ? null : [k, f];
        draw(m);
        if (opened) problems.scrollIntoView({ block: "nearest" });
      }));
    }));
  const tableOf = (m) => {
    // engines integrate nothing, so that most measures have none
    const rows = shown.filter((f) => !isEngine(f) || fields[m].some((ofKind) => ofKind[f][4] > 0)), hasEngines = rows.some(isEngine);
    return [
      h("table", { class: "heat" },
        h("caption", { class: "hidden" }, measures[m].title),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }), kinds.map((name, k) => h("th", { scope: "col", class: column(k) }, name)))),
        h("tbody", {}, rows.map((f) => row(m, f, rows.find(isEngine))))),
      legend(measures[m], hasEngines ? ["heat", "engine"] : ["heat"], marks),
      measures[m].note && hasEngines ? h("p", { class: "note" }, inline(measures[m].note)) : ""];
  };
  const draw = (m) => {
    heading.textContent = measures[m].title;
    place.replaceChildren(...tableOf(m));
    problems.replaceChildren(opened ? problemsOf(figure, m, ...opened) : "");
  };
  const asked = measures.findIndex(({ name }) => name === parameter("measure"));
  const first = asked < 0 ? figure.data.first : asked;
  const shownMeasure = () => measures.findIndex(({ name }) => name === (parameter("measure") ?? measures[first].name));
  draw(first);
  onThemeChange(() => draw(shownMeasure()));
  // A print has the other measures, too.
  const rest = h("div");
  const print = () => rest.replaceChildren(...measures.flatMap(({ title }, m) => (m === shownMeasure() || fields[m].flat().every(([median]) => median === null)
    ? [] : [h("h4", {}, title), ...tableOf(m)])));
  const afterPrint = () => rest.replaceChildren();
  addEventListener("beforeprint", print);
  addEventListener("afterprint", afterPrint);
  onLeave(() => {
    removeEventListener("beforeprint", print);
    removeEventListener("afterprint", afterPrint);
  });
  const only = h("input", { type: "checkbox", onchange: () => { common = only.checked; draw(shownMeasure()); } });
  return h("div", {}, heading, h("div", { class: "map-controls" }, choice("Measure", measures.map(({ label }) => label), first, (m) => {
    setParameter("measure", measures[m].name);
    draw(m);
  }), h("label", {}, only, " only problems that all families reached"), pick), place, problems, rest);
}

const NAMED = 2; // families of an answer, which is to be one line
function answers({ data }) {
  return h("ul", { class: "answers" }, data.items.map(({ question, rule, problem, route, places, verdict, absent }) => h("li", {},
    h("b", { title: rule }, question), " ", problem ? h("span", { class: "on" }, "(", pageLink(route, problem), ")") : "", " ",
    places.length ? [places.slice(0, NAMED).map(({ family, name, how, more, leads }, i) => [i ? " \u00b7 " : "", h("span", { title: more }, h("span", { class: "name" }, swatch({ name: family, family }), leads ? h("b", {}, name) : name), ` (${how})`)]),
      verdict ? `: ${verdict}` : "", others(places.slice(NAMED))].flat(2)
      : inline(absent))));
}

// Those further down that are not known to be slower: their number, and their times on demand.
const others = (places) => (places.length ? h("span", { class: "on", title: places.map(({ more }) => more).join("\n") }, ` (${places.length} more)`) : "");

const WIDTH = 300, HEIGHT = 104, LEFT = 44, RIGHT = WIDTH - 42, BOTTOM = 16;
function spark({ data }) {
  const series = data.series.filter(isShown), points = series.flatMap((one) => one.points);
  if (!points.length) return h("p", { class: "nothing" }, "The filter hides every curve.");
  const scale = (values, from, to) => {
    const logs = values.map(Math.log10), low = Math.floor(Math.min(...logs)), high = Math.max(low + 1, Math.ceil(Math.max(...logs)));
    const place = (value) => from + (to - from) * (Math.log10(value) - low) / (high - low);
    return [place, Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i))];
  };
  const [x, xs] = scale(points.map((point) => point[0]), LEFT, RIGHT), [y, ys] = scale(points.map((point) => point[1]), HEIGHT - BOTTOM, 6);
  const name = (value) => (value >= 1e4 || value < 1 ? value.toExponential(0).replace("+", "") : String(value));
  const place = h("div", { class: "spark" });
  const byCost = [...series].sort((a, b) => b.points.at(-1)[1] - a.points.at(-1)[1]);  // as the curves end
  const draw = () => place.replaceChildren(svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${data.series.length} curves of cost per body against bodies` },
    svg("text", { transform: `translate(9 ${(HEIGHT - BOTTOM) / 2}) rotate(-90)`, "text-anchor": "middle" }, data.y),
    svg("text", { x: WIDTH, y: HEIGHT - 3, "text-anchor": "end" }, data.x),
    xs.map((value) => svg("text", { x: x(value), y: HEIGHT - 3, "text-anchor": "middle" }, name(value))),
    ys.map((value) => [svg("text", { x: LEFT - 4, y: y(value) + 4, "text-anchor": "end" }, name(value)), svg("path", { d: `M${LEFT} ${y(value)}H${RIGHT}`, class: "grid" })]).flat(),
    series.map((one) => {
      const style = curveStyle(one);
      return svg("path", { d: one.points.map(([u, v], i) => `${i ? "L" : "M"}${x(u).toFixed(1)} ${y(v).toFixed(1)}`).join(""), fill: "none", stroke: style.color,
        "stroke-width": 1.6, "stroke-dasharray": dashArray(style.dash) }, svg("title", {}, one.name));
    })), h("ul", {}, byCost.map((one) => h("li", {}, swatch(one), one.name))));
  draw();
  onThemeChange(draw);
  return place;
}

function claims({ data }) {
  const groups = Map.groupBy ? Map.groupBy(data.items, (item) => item.source) : data.items.reduce((map, item) =>
    map.set(item.source, [...(map.get(item.source) ?? []), item]), new Map());
  return h("div", { class: "claims" }, [...groups].map(([source, items]) => h("p", {}, h("b", {}, source), " ", items.map((item) =>
    pageLink(data.route, `${item.sign} ${item.label || item.claim}`, "", { class: `chip ${item.tone.replace("outcome-", "")}`, title: `${item.standing}: ${item.claim}${item.verdict ? ` (${item.verdict})` : ""}` },
      Object.fromEntries([["open", data.open], ...Object.entries(data.tables).map(([file, caption]) => [`${blockId(file, caption)}.rows`, `"${item.claim.replaceAll("\"", "")}"`])]))))));
}

const TILES = { status, "heat-map": heatMap, answers, spark, claims,
  distribution: (figure) => chart(figure, { ...drawing(figure), isPlain: true }) };

function tile(figure) {
  const title = figure.data.route && figure.drawn_as === "spark" ? pageLink(figure.data.route, figure.title) : figure.title;
  return h("figure", { class: `tile tile-${figure.drawn_as}` }, ["status", "heat-map"].includes(figure.drawn_as) ? null : h("h4", {}, title),
    TILES[figure.drawn_as](figure));
}

function words(figures) {
  return h("details", { class: "words" }, h("summary", {}, "How to read this"),
    figures.map((figure) => [figure.summary ? h("p", {}, h("b", {}, `${figure.title}. `), inline(figure.summary)) : null, asTable(figure), source(figure)]).flat());
}

export function renderOverview(section) {
  const figures = section.blocks.filter((block) => block.kind === "figure");
  const text = (block) => h("p", {}, inline(block.text));
  const [first, ...rest] = section.blocks;
  return h("section", { id: section.id, class: "overview" },
    h("h2", { class: "hidden" }, section.title),
    first?.kind === "paragraph" ? h("p", { class: "lead" }, inline(first.text), jumps(first)) : null,
    figures.map(tile),
    rest.filter((block) => block.kind === "paragraph").map(text),
    words(figures));
}
