// Run by 'mbsbench figures' in a folder with report.js and figures.json: draws every chart as SVG without a browser, by the code of
// the page, and makes a PDF of each with the first program that it finds. written.json says what came of it.
const { spawn, spawnSync } = require("node:child_process");
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
const missing = [];
const LIMIT = { timeout: 60000, killSignal: "SIGKILL" };  // [ms] a program that is stuck waits for ever, and may not hear SIGTERM
const isThere = (program) => spawnSync(program, ["--version"], LIMIT).status === 0;

// One call per figure. The first is the only one that is no desktop program.
const CONVERTERS = [
  ["rsvg-convert", (svg) => ["--format=pdf", "--output", pdfOf(svg), svg]],
  ["inkscape", (svg) => ["--export-type=pdf", `--export-filename=${pdfOf(svg)}`, svg]],
];
const STUCK = 3;  // times until a program is taken to be stuck on every figure

function convertEach([program, argumentsFor]) {
  let pdfs = 0, stuck = 0;
  for (const svg of svgs) {
    if (stuck === STUCK) break;
    const { status, error } = spawnSync(program, argumentsFor(svg), LIMIT);
    pdfs += status === 0;
    stuck += error?.code === "ETIMEDOUT";
  }
  if (pdfs < svgs.length) missing.push(`${program} failed on ${svgs.length - pdfs} of ${svgs.length} figures`
    + (stuck ? `; on ${stuck} of them it was stopped after ${LIMIT.timeout / 1000} s${stuck === STUCK ? ", and then not tried again" : ""}.` : "."));
  return pdfs;
}

// One browser for all figures, spoken to over two pipes (Chrome's DevTools protocol: JSON messages that end in a zero byte).
async function convertByBrowser() {
  const profile = fs.mkdtempSync(path.join(work, "browser-"));
  const browser = spawn("chromium", ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", `--user-data-dir=${profile}`, "--remote-debugging-pipe", "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const waiting = new Map();
  let rest = "", last = 0;
  const fail = (reason) => { for (const { reject } of waiting.values()) reject(new Error(reason)); waiting.clear(); };
  browser.on("exit", () => fail("the browser ended"));
  browser.on("error", () => fail("the browser did not start"));
  browser.stdio[3].on("error", () => {});
  browser.stdio[4].setEncoding("utf8").on("data", (text) => {
    const messages = (rest + text).split("\0");
    rest = messages.pop();
    for (const message of messages.map((one) => JSON.parse(one))) {
      const one = waiting.get(message.id);
      if (!one) continue;
      waiting.delete(message.id);
      if (message.error) one.reject(new Error(message.error.message));
      else one.resolve(message.result);
    }
  });
  const ask = (method, params = {}, sessionId = undefined) => new Promise((resolve, reject) => {
    last += 1;
    const id = last, timer = setTimeout(() => waiting.get(id)?.reject(new Error("no answer")), LIMIT.timeout);
    waiting.set(id, { resolve: (result) => { clearTimeout(timer); resolve(result); }, reject: (error) => { clearTimeout(timer); waiting.delete(id); reject(error); } });
    browser.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
  });
  let pdfs = 0;
  try {
    const { targetId } = await ask("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await ask("Target.attachToTarget", { targetId, flatten: true });
    const { frameTree } = await ask("Page.getFrameTree", {}, sessionId);
    for (const svg of svgs) {
      const text = fs.readFileSync(svg, "utf8");
      const [, width, height] = text.match(/<svg[^>]*?\bwidth="([\d.]+)"[^>]*?\bheight="([\d.]+)"/) ?? [null, 900, 500];
      await ask("Page.setDocumentContent", { frameId: frameTree.frame.id, html: `<style>body{margin:0}svg{display:block}</style>${text}` }, sessionId);
      const { data } = await ask("Page.printToPDF", { printBackground: true, paperWidth: (Number(width) + 1) / 96, paperHeight: (Number(height) + 1) / 96,
        marginTop: 0, marginBottom: 0, marginLeft: 0, marginRight: 0, pageRanges: "1" }, sessionId);
      fs.writeFileSync(pdfOf(svg), Buffer.from(data, "base64"));
      pdfs += 1;
    }
  } catch (error) {
    missing.push(`chromium failed after ${pdfs} of ${svgs.length} figures: ${error.message}.`);
  }
  browser.kill("SIGKILL");
  return pdfs;
}

async function convert() {
  const converter = CONVERTERS.find(([program]) => isThere(program));
  if (converter) return convertEach(converter);
  if (isThere("chromium")) return convertByBrowser();
  missing.push("No PDF was made: neither rsvg-convert nor inkscape nor chromium was found. Install the package librsvg2-bin and run this again.");
  return 0;
}

convert().then((pdfs) => {
  fs.writeFileSync(path.join(work, "written.json"), JSON.stringify({ svg: svgs.length, pdf: pdfs, missing }));
  process.exit(0);
});
