// Light and dark. The system's wish holds until the reader chooses; "?theme=dark" chooses by the address.
import { colorOf } from "./charts/colors.js";

const THEMES = ["auto", "light", "dark"];
const listeners = new Set();

// Storage may be closed to pages opened from a file.
function remembered() {
  try { return localStorage.getItem("mbsbench-theme"); } catch { return null; }
}
function remember(theme) {
  try { localStorage.setItem("mbsbench-theme", theme); } catch { /* then it lasts as long as the page */ }
}

// Figures for a paper are drawn without a browser.
export const isDark = () => typeof document !== "undefined" && document.documentElement.dataset.theme === "dark";
export const color = (name) => colorOf(name, isDark());
// Holds until another page is shown.
export const onThemeChange = (listener) => listeners.add(listener);
export const clearListeners = () => listeners.clear();

export function setUpTheme(button) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = new URLSearchParams(location.search).get("theme") ?? remembered();
  if (!THEMES.includes(chosen)) chosen = "auto";
  const apply = () => {
    document.documentElement.dataset.theme = chosen === "auto" ? (system.matches ? "dark" : "light") : chosen;
    button.textContent = `Theme: ${chosen}`;
    for (const listener of listeners) listener();
  };
  button.addEventListener("click", () => {
    chosen = THEMES[(THEMES.indexOf(chosen) + 1) % THEMES.length];
    remember(chosen);
    apply();
  });
  system.addEventListener("change", apply);
  // paper is light
  addEventListener("beforeprint", () => {
    document.documentElement.dataset.theme = "light";
    for (const listener of listeners) listener();
  });
  addEventListener("afterprint", apply);
  apply();
}
