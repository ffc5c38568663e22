// Axes and frame that all charts share.
import { color } from "../theme.js";

const SUPERSCRIPTS = { "-": "\u207b", 0: "\u2070", 1: "\u00b9", 2: "\u00b2", 3: "\u00b3", 4: "\u2074", 5: "\u2075", 6: "\u2076", 7: "\u2077", 8: "\u2078", 9: "\u2079" };
const powerOfTen = (exponent) => `10${[...String(exponent)].map((c) => SUPERSCRIPTS[c]).join("")}`;

export function formatTick(value) {
  const exponent = Math.log10(value);
  const whole = Math.round(exponent);
  return Math.abs(exponent - whole) < 1e-9 ? (whole >= 0 && whole <= 2 ? String(10 ** whole) : powerOfTen(whole)) : "";
}

const UNITS = [[1, "s"], [1e-3, "ms"], [1e-6, "\u00b5s"], [1e-9, "ns"]];
export function formatSecondsTick(value) {
  if (formatTick(value) === "") return "";
  for (const [unit, name] of UNITS) {
    if (value >= unit * 0.999) return `${Math.round(value / unit)} ${name}`;
  }
  return powerOfTen(Math.round(Math.log10(value)));
}

// Whole decades around the values, so that every axis shows at least one.
export function decades(values) {
  const positive = values.filter((value) => value > 0);
  if (!positive.length) return { min: 1e-1, max: 1 };
  const low = positive.reduce((a, b) => Math.min(a, b)), high = positive.reduce((a, b) => Math.max(a, b));
  const min = 10 ** Math.floor(Math.log10(low) + 1e-9), max = 10 ** Math.ceil(Math.log10(high) - 1e-9);
  return max > min ? { min, max } : { min, max: min * 10 };
}

// Every decade has a line; only as many decades have a label as there is room for.
const LABELS = 10;
function ticks({ min, max }) {
  const from = Math.round(Math.log10(min)), to = Math.round(Math.log10(max));
  const step = Math.ceil((to - from) / LABELS);
  const all = [], labelled = [];
  for (let exponent = from; exponent <= to; exponent += 1) {
    all.push(10 ** exponent);
    if ((to - exponent) % step === 0) labelled.push(10 ** exponent);
  }
  return { all, labelled };
}

export function logAxis(name, range, formatter = formatTick) {
  const { all, labelled } = ticks(range);
  const axis = linearAxis(name);
  return { ...axis, type: "log", logBase: 10, ...range,
    axisTick: { show: true, customValues: all },
    splitLine: { ...axis.splitLine, customValues: all },
    axisLabel: { ...axis.axisLabel, formatter, customValues: labelled } };
}

export function linearAxis(name) {
  return {
    type: "value",
    name,
    nameLocation: "middle",
    nameTextStyle: { color: color("text"), fontSize: 13 },
    axisLine: { show: true, lineStyle: { color: color("text-soft") } },
    axisLabel: { color: color("text-soft"), hideOverlap: true },
    axisTick: { show: true },
    splitLine: { lineStyle: { color: color("grid") } },
  };
}

// `type` is "log" or "linear".
export function axis(type, name, values, tick = formatTick) {
  if (type === "log") return logAxis(name, decades(values), tick);
  return linearAxis(tick === formatSecondsTick ? `${name} [s]` : name);
}

// Values that a logarithmic axis cannot show become null, which breaks a line.
export const fits = (type, value) => (type === "linear" || value > 0 ? value : null);

export function frame(x, y) {
  return {
    animation: false,
    backgroundColor: "transparent",
    textStyle: { fontFamily: "inherit", color: color("text") },
    grid: { left: 76, right: 28, top: 36, bottom: 56, containLabel: false },
    xAxis: { ...x, nameGap: 34 },
    yAxis: { ...y, nameGap: 54 },
    tooltip: { trigger: "item", confine: true, backgroundColor: color("panel"), borderColor: color("grid"),
      textStyle: { color: color("text"), fontSize: 13 } },
    toolbox: { right: 20, top: 2, itemSize: 13, iconStyle: { borderColor: color("text-soft") }, feature: {
      dataZoom: { title: { zoom: "Zoom into a box", back: "Zoom back" }, filterMode: "none" },
      restore: { title: "Restore" },
      saveAsImage: { type: "svg", title: "Save as SVG", name: "mbsbench", backgroundColor: color("page") },
    } },
  };
}

// Escapes names and reasons from the store, since a tooltip is HTML.
export const escapeHtml = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
