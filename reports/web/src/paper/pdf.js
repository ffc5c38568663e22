// A PDF of each SVG file, by the first program that is found.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const LIMIT = { timeout: 60000, killSignal: "SIGKILL" };  // [ms] a program that is stuck may not hear SIGTERM
const isThere = (program) => spawnSync(program, ["--version"], LIMIT).status === 0;

// A page of the size of the figure.
function htmlOf(svg, work) {
  const text = readFileSync(svg, "utf8"), [, width, height] = text.match(/width="([\d.]+pt)" height="([\d.]+pt)"/), file = path.join(work, "page.html");
  writeFileSync(file, `<style>@page{size:${width} ${height};margin:0}body{margin:0;overflow:hidden}svg{display:block}</style>${text}`);
  return file;
}

// The first is the only one that is no desktop program.
const CONVERTERS = [
  ["rsvg-convert", (svg, pdf) => ["--format=pdf", "--output", pdf, svg]],
  ["inkscape", (svg, pdf) => ["--export-type=pdf", `--export-filename=${pdf}`, svg]],
  ["chromium", (svg, pdf, work) => ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${work}/browser`, "--no-pdf-header-footer", `--print-to-pdf=${pdf}`, htmlOf(svg, work)]],
];

// [the PDF files, sentences on what is missing]
export function convert(svgs, work) {
  const converter = CONVERTERS.find(([program]) => isThere(program));
  if (!converter) return [[], ["No PDF was made: neither rsvg-convert nor inkscape nor chromium was found. Install the package librsvg2-bin and run this again."]];
  const [program, argumentsFor] = converter, pdfs = [];
  for (const svg of svgs) {
    const pdf = svg.replace(/\.svg$/, ".pdf");
    rmSync(pdf, { force: true });
    const { status, error } = spawnSync(program, argumentsFor(svg, pdf, work), LIMIT);
    if (error) break;  // it is stuck, and would be on the others
    if (status === 0 && existsSync(pdf)) pdfs.push(pdf);
  }
  return [pdfs, pdfs.length < svgs.length ? [`${program} made ${pdfs.length} of ${svgs.length} PDF files.`] : []];
}
