// A chart that is drawn when it comes into view, follows its width and the theme, and has a legend of buttons, which the
// keyboard can reach. The choices of the reader are kept in the address.
//
// A drawing is { series, views, axes, options }: curves with name, method and style; labels of the quantities to choose from (or
// none); "log" or "linear" of each axis at first, those that may be changed; and options({ series, view, axes }), which gives what
// ECharts draws.
import { h, svg } from "../dom.js";
import { isShown } from "../filters.js";
import { onLeave } from "../leave.js";
import { blockId, goTo, parameter, setParameter } from "../router.js";
import { onThemeChange } from "../theme.js";
import { init } from "./echarts.js";
import { curveStyle, dashArray } from "./style.js";

export function swatch(series) {
  const style = curveStyle(series);
  return svg("svg", { width: 36, height: 16, viewBox: "-10 0 36 16", "aria-hidden": "true" },
    svg("path", { d: "M-10 8h36", stroke: style.color, "stroke-width": 2, "stroke-dasharray": dashArray(style.dash) }),
    svg("path", { d: style.path, fill: style.color }));
}

// Two curves whose points agree within the width of a line cannot be distinguished: 3 % on a logarithmic axis.
const near = (a, b, width) => a === b || (a !== null && b !== null && Math.abs(a - b) < width * Math.max(Math.abs(a), Math.abs(b)));
// The points of a curve, or its values over time except the first, which is round-off.
const pointsOf = (one, view) => one.points?.map(([x, y]) => [x, y]) ?? one.values?.[view]?.map((value, i) => [one.times[i], value]).slice(1) ?? [];
const coincide = (one, other, view) => {
  const width = one.width ?? 0.03;
  const [a, b] = [pointsOf(one, view), pointsOf(other, view)];
  return a.length > 0 && a.length === b.length && a.some(([, y]) => y !== null) && a.every(([x, y], i) => near(x, b[i][0], width) && near(y, b[i][1], width));
};

// `point` shows which curve is pointed at.
function legend(series, view, hidden, redraw, point) {
  const twin = ([item], at) => series.slice(0, at).find(([other]) => coincide(item, other, view))?.[0].name;
  const one = ([item, index], at) => {
    const name = twin([item], at);
    const button = h("button", { type: "button", "aria-pressed": String(!hidden.has(index)), title: "Show or hide this curve", onclick: () => {
      if (!hidden.delete(index)) hidden.add(index);
      button.setAttribute("aria-pressed", String(!hidden.has(index)));
      redraw();
    }, onmouseenter: () => point(item.name, true), onmouseleave: () => point(item.name, false) }, swatch(item), ` ${item.name}`,
    name ? h("em", {}, ` coincides with ${name}`) : null);
    onThemeChange(() => button.replaceChild(swatch(item), button.firstChild));
    return button;
  };
  return h("div", { class: "curves", role: "group", "aria-label": "Curves" }, series.map(one));
}

// A group of buttons, one of which is pressed.
export function choice(label, names, chosen, choose, disabled = () => false) {
  const buttons = names.map((name, i) => h("button", { type: "button", disabled: disabled(i), "aria-pressed": String(i === chosen),
    onclick: () => {
      buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(k === i)));
      choose(i);
    } }, name));
  return h("div", { class: "choice", role: "group", "aria-label": label }, buttons);
}

const SCALES = ["log", "linear"];

export function chart(figure, { series, views = [], firstView = 0, isEmpty = () => false, axes, options, isPlain = false, part = "" }) {
  if (!series.length) return h("p", { class: "nothing" }, "Nothing to draw.");
  const id = blockId(figure.csv, figure.title) + part;
  const listed = series.map((item, index) => [item, index]).filter(([item]) => isShown(item));
  // An address typed by hand, or for another report, may name curves and views that do not exist.
  const toHide = (parameter(`${id}.hide`) ?? "").split(",");
  const hidden = new Set([...series.keys()].filter((index) => toHide.includes(String(index))));
  const asked = views.findIndex((_, view) => String(view) === parameter(`${id}.view`) && !isEmpty(view));
  const state = { view: asked < 0 ? firstView : asked, axes: { ...axes } };
  for (const name of Object.keys(axes)) state.axes[name] = SCALES.find((scale) => scale === parameter(`${id}.${name}`)) ?? axes[name];

  const place = h("div", { class: "chart", role: "img", tabindex: "0", "aria-label": `${figure.title}. ${figure.summary}` });
  let drawn = null;
  const redraw = () => drawn?.setOption(
    options({ series: listed.filter(([, index]) => !hidden.has(index)).map(([item]) => item), view: state.view, axes: state.axes }), { notMerge: true });
  const point = (seriesName, isOn) => drawn?.dispatchAction({ type: isOn ? "highlight" : "downplay", seriesName });
  const start = () => {
    if (drawn) return;
    drawn = init(place, null, { renderer: "svg" });
    redraw();
    drawn.on("click", ({ data }) => data?.route && goTo(data.route));
    const sizes = new ResizeObserver(() => {
      drawn.resize();
      drawn.getZr().flush();  // in the same frame, so that no picture shows a chart of the former width
    });
    sizes.observe(place);
    onLeave(() => {
      sizes.disconnect();
      drawn.dispose();
    });
  };
  const watcher = new IntersectionObserver((changes) => {
    if (!changes.some((change) => change.isIntersecting)) return;
    watcher.disconnect();
    start();
  }, { rootMargin: "400px" });
  watcher.observe(place);
  // A print also shows charts that were never in view.
  const print = () => {
    start();
    drawn.resize();
    drawn.setOption({ toolbox: { show: false } });
  };
  const afterPrint = () => drawn?.setOption({ toolbox: { show: true } });
  addEventListener("beforeprint", print);
  addEventListener("afterprint", afterPrint);
  onLeave(() => {
    watcher.disconnect();
    removeEventListener("beforeprint", print);
    removeEventListener("afterprint", afterPrint);
  });
  onThemeChange(redraw);

  const controls = h("div", { class: "controls" },
    views.length > 1 ? choice("Quantity", views, state.view, (view) => {
      state.view = view;
      drawLegend();
      setParameter(`${id}.view`, String(view));
      redraw();
    }, isEmpty) : null,
    isPlain ? null : Object.keys(axes).map((name) => h("div", { class: "scale" }, `${name} axis`, choice(`${name} axis`, SCALES, SCALES.indexOf(state.axes[name]), (i) => {
      state.axes[name] = SCALES[i];
      setParameter(`${id}.${name}`, SCALES[i] === axes[name] ? null : SCALES[i]);
      redraw();
    }))));
  const hide = () => {
    setParameter(`${id}.hide`, [...hidden].sort((a, b) => a - b).join(","));
    redraw();
  };
  let curves = legend(listed, state.view, hidden, hide, point);
  const drawLegend = () => {
    const next = legend(listed, state.view, hidden, hide, point);
    curves.replaceWith(next);
    curves = next;
  };
  return h("div", { class: "drawn" }, controls, curves,
    listed.length ? place : h("p", { class: "nothing" }, "The filter hides every curve."));
}
