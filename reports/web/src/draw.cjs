// Run by 'mbsbench figures' in a folder with report.js and figures.json: draws every chart as SVG without a browser, by the code of
// the page, and makes a PDF of each with the first program that it finds. written.json says what came of it.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const work = __dirname, out = path.dirname(work);
require("./report.js");
const { drawSvg } = globalThis.mbsbench;

const svgs = [];
for (const figure of JSON.parse(fs.readFileSync(path.join(work, "figures.json"), "utf8"))) {
  for (const [view, svg] of drawSvg(figure)) {
    const file = path.join(out, `${figure.name}${view ? `.${view}` : ""}.svg`);
    fs.writeFileSync(file, svg);
    svgs.push(file);
  }
}

const pdfOf = (svg) => svg.replace(/\.svg$/, ".pdf");
// Of the three the first is the fastest by far, and the only one that is no desktop program.
const CONVERTERS = [
  ["rsvg-convert", ["--version"], (svg) => ["--format=pdf", "--output", pdfOf(svg), svg]],
  ["inkscape", ["--version"], (svg) => ["--export-type=pdf", `--export-filename=${pdfOf(svg)}`, svg]],
  ["chromium", ["--version"], (svg) => ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", `--print-to-pdf=${pdfOf(svg)}`, svg]],
];
const missing = [];
const STUCK = 3;  // times until a program is taken to be stuck on every figure
const LIMIT = { timeout: 60000, killSignal: "SIGKILL" };  // [ms] a browser that is stuck waits for ever, and may not hear SIGTERM
const converter = CONVERTERS.find(([program, probe]) => spawnSync(program, probe, LIMIT).status === 0);
let pdfs = 0;
if (!converter) {
  missing.push("No PDF was made: neither rsvg-convert nor inkscape nor chromium was found. Install the package librsvg2-bin and run this again.");
} else {
  let stuck = 0;
  for (const svg of svgs) {
    if (stuck === STUCK) break;
    const { status, error } = spawnSync(converter[0], converter[2](svg), LIMIT);
    pdfs += status === 0;
    stuck += error?.code === "ETIMEDOUT";
  }
  if (pdfs < svgs.length) missing.push(`${converter[0]} failed on ${svgs.length - pdfs} of ${svgs.length} figures`
    + (stuck ? `; on ${stuck} of them it was stopped after ${LIMIT.timeout / 1000} s${stuck === STUCK ? ", and then not tried again" : ""}.` : "."));
}
fs.writeFileSync(path.join(work, "written.json"), JSON.stringify({ svg: svgs.length, pdf: pdfs, missing }));
