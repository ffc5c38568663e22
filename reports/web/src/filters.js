// Methods, integrators and kinds of mechanisms that a reader wants to see, on every page. Nothing is computed anew: curves, rows and
// columns of the others are hidden.
import { h } from "./dom.js";
import { FILTERS, parameter, setParameter } from "./router.js";

// Method names hold commas, never this.
const SEPARATOR = ";";

// The names that the address chooses; null: no filter.
function chosen(name) {
  const text = parameter(name);
  return text === null ? null : new Set(text.split(SEPARATOR).filter((one) => one !== "none"));
}

let kindOf = {};  // of mechanisms, by problem

// A family of methods is shown as long as one of its variants is.
export function isShown({ method, family, integrator, problem, kind = kindOf[problem] }) {
  const methods = chosen("methods"), integrators = chosen("integrators"), kinds = chosen("kinds");
  if (kinds && kind !== undefined && !kinds.has(kind)) return false;
  if (family !== undefined) return !methods || [...methods].some((one) => one.split(":")[0] === family);
  return (!methods || method === undefined || methods.has(method)) && (!integrators || !integrator || integrators.has(integrator));
}

export const isFiltered = () => FILTERS.some((name) => parameter(name) !== null);

function chips(name, label, all, redraw) {
  const buttons = all.map((one) => h("button", { type: "button", onclick: () => {
    const now = chosen(name) ?? new Set(all);
    if (!now.delete(one)) now.add(one);
    setParameter(name, now.size === all.length ? null : [...now].join(SEPARATOR) || "none");
    update();
    redraw();
  } }, one));
  const update = () => buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(chosen(name)?.has(all[i]) ?? true)));
  const set = (value) => { setParameter(name, value); update(); redraw(); };
  update();
  return h("div", { class: "chips", role: "group", "aria-label": label }, h("span", {}, label), buttons,
    h("button", { type: "button", class: "plain", onclick: () => set(null) }, "all"),
    h("button", { type: "button", class: "plain", onclick: () => set("none") }, "none"));
}

export function setKinds(kinds) {
  kindOf = kinds;
}

export function filterBar(report, redraw) {
  const methods = report.methods, integrators = report.integrators.filter((one) => one), kinds = [...new Set(Object.values(report.kinds))];
  if (methods.length < 2 && integrators.length < 2 && kinds.length < 2) return null;
  return h("details", { class: "filters", open: isFiltered() }, h("summary", {}, "Filter methods, integrators and mechanisms on all pages"),
    chips("methods", "methods", methods, redraw),
    chips("integrators", "integrators", integrators, redraw),
    chips("kinds", "mechanisms", kinds, redraw));
}
