// Paper is narrower than most screens, and nothing scrolls on it: what is too wide for a page gets smaller type.
const PAGE = 690, FONT = 11.5, LEAST = 5;  // [px] of A4 between its margins; of the type there

// The width of a table in which no word is broken.
function leastWidth(table) {
  const { width, maxWidth } = table.style;
  Object.assign(table.style, { width: "min-content", maxWidth: "none" });
  const least = table.offsetWidth;
  Object.assign(table.style, { width, maxWidth });
  return least;
}

export function fitTables() {
  for (const table of document.querySelectorAll("table")) {
    const font = parseFloat(getComputedStyle(table).fontSize), fitting = (font * PAGE) / (leastWidth(table) || 1);
    table.style.setProperty("--paper-font", `${Math.max(LEAST, Math.min(FONT, fitting)).toFixed(2)}px`);
  }
}
