// Run by 'mbsbench figures' in a folder with figures.json: draws each figure of a paper in the widths of a column and of a page, as SVG
// and PDF. written.json names the files, and says in sentences what is missing.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { draw } from "./figures.js";
import { convert } from "./pdf.js";

const WIDTHS = [252, 510];  // [pt]
const work = __dirname, out = path.dirname(work), svgs = [];
for (const figure of JSON.parse(readFileSync(path.join(work, "figures.json"), "utf8"))) {
  for (const width of WIDTHS) {
    const svg = draw(figure, width), file = path.join(out, `${figure.name}-${width}.svg`);
    if (!svg) continue;
    writeFileSync(file, svg);
    svgs.push(file);
  }
}
const [pdfs, missing] = convert(svgs, work);
writeFileSync(path.join(work, "written.json"), JSON.stringify({ svg: svgs.map((file) => path.basename(file)), pdf: pdfs.map((file) => path.basename(file)), missing }));
