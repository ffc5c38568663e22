// A chart that is drawn when it comes into view, follows its width and the theme, and has a legend of buttons, which the
// keyboard can reach.
import { h, svg } from "../dom.js";
import { onThemeChange } from "../theme.js";
import { init } from "./echarts.js";
import { curveStyle } from "./style.js";

function swatch(series) {
  const style = curveStyle(series);
  return svg("svg", { width: 36, height: 16, viewBox: "-10 0 36 16", "aria-hidden": "true" },
    svg("path", { d: "M-10 8h36", stroke: style.color, "stroke-width": 2, "stroke-dasharray": { dashed: "5 3", dotted: "2 2" }[style.dash] ?? (Array.isArray(style.dash) ? style.dash.join(" ") : null) }),
    svg("path", { d: style.path, fill: style.color }));
}

function legend(series, hidden, redraw) {
  const one = (item) => {
    const button = h("button", { type: "button", "aria-pressed": "true", title: "Show or hide this curve", onclick: () => {
      if (!hidden.delete(item.name)) hidden.add(item.name);
      button.setAttribute("aria-pressed", String(!hidden.has(item.name)));
      redraw();
    } }, swatch(item), ` ${item.name}`);
    onThemeChange(() => button.replaceChild(swatch(item), button.firstChild));
    return button;
  };
  return h("div", { class: "curves", role: "group", "aria-label": "Curves" }, series.map(one));
}

// `options(visibleSeries)` gives what ECharts draws.
export function chart(label, series, options, controls = null) {
  if (!series.length) return h("p", { class: "nothing" }, "Nothing to draw.");
  const place = h("div", { class: "chart", role: "img", tabindex: "0", "aria-label": label });
  const hidden = new Set();
  let drawing = null;
  const redraw = () => drawing?.setOption(options(series.filter((item) => !hidden.has(item.name))), { notMerge: true });
  new IntersectionObserver((changes, watcher) => {
    if (!changes.some((change) => change.isIntersecting)) return;
    watcher.disconnect();
    drawing = init(place, null, { renderer: "svg" });
    redraw();
    new ResizeObserver(() => drawing.resize()).observe(place);
  }, { rootMargin: "400px" }).observe(place);
  onThemeChange(redraw);
  return h("div", {}, controls ? controls(redraw) : null, legend(series, hidden, redraw), place);
}
