// The report of a real run in a real browser, page by page.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { folder, go, launch, makeReport, open, reportData, rows, screenshots } from "./support.mjs";

const store = process.env.STORE;
let browser, url, page, complaints, data;

before(async () => {
  url = makeReport(store, "quick");
  browser = await launch();
  ({ page, complaints } = await open(browser, url));
  data = await reportData(page);
});
after(() => browser?.close());

const shot = (name) => page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });

// Finished cells of the store with both an error and a time, read from the store only.
const solvedCells = (problem) => rows(store, `
  SELECT a.method, a.integrator, a.tolerance, a.step, json_extract(a.record, '$.error.max') AS error, MIN(t.cpu_seconds) AS seconds
  FROM trial a JOIN trial t ON t.kind = 'time' AND t.problem = a.problem AND t.method = a.method AND t.integrator = a.integrator
    AND t.tolerance IS a.tolerance AND t.step IS a.step
  WHERE a.kind = 'accuracy' AND a.problem = '${problem}' AND a.outcome = 'ok' GROUP BY a.rowid`);

const someProblem = () => rows(store, `SELECT problem, COUNT(*) AS n FROM trial WHERE kind = 'accuracy' AND outcome = 'ok'
  AND json_extract(record, '$.error.max') > 0 GROUP BY problem ORDER BY n DESC LIMIT 1`)[0].problem;
const routeOf = (title) => data.pages.find((one) => one.title === title).route;

const unfold = (at) => at.evaluate(() => document.querySelectorAll("details.folded").forEach((one) => { one.open = true; }));

test("every page opens, shows its sections, and causes no browser error", async () => {
  assert.ok(data.pages.length > 10);
  for (const one of data.pages) {
    await go(page, `#/${one.route}`);
    assert.equal(await page.title(), `${one.title} - mbsbench`);
    assert.ok(await page.locator("#page > section").count() > 0, `${one.route} shows nothing`);
    assert.ok(await page.locator("#errors").isHidden(), `${one.route}: ${await page.locator("#errors").textContent()}`);
    if (!one.parent || one.title === someProblem() || one.route.startsWith("method/riccati")) {
      await unfold(page);
      for (const chart of await page.locator(".chart, .stage").all()) await chart.scrollIntoViewIfNeeded();
      await page.waitForFunction(() => !document.querySelector(".chart:not(:has(svg)), .stage:not([data-drawn])"))
        .catch(() => assert.fail(`${one.route}: a chart was not drawn`));
      await page.evaluate(() => scrollTo(0, 0));
      await shot(one.route.replaceAll("/", "-"));
    }
  }
  assert.deepEqual(complaints, []);
});

test("at 1400 px every table fits, on all pages and with all sections open", async () => {
  const other = await open(browser, url, { viewport: { width: 1400, height: 900 } });
  const wide = [];
  for (const { route } of data.pages) {
    await go(other.page, `#/${route}`);
    await other.page.evaluate(() => document.querySelectorAll("#page details").forEach((one) => { one.open = true; }));
    await other.page.waitForTimeout(50);
    wide.push(...await other.page.evaluate((at) => [...document.querySelectorAll("#page .scroll:not(.matrix)")].filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => `${at}: ${one.getAttribute("aria-label")}, ${one.scrollWidth - one.clientWidth} px`), route));
  }
  assert.deepEqual(wide, []);
  assert.deepEqual(other.complaints, []);
  await other.page.context().close();
});

test("long pages open folded, an address opens a section, and a print shows all", async () => {
  for (const route of ["scaling", "outcomes", "machine", "steady", "claims", "validation"]) {
    const other = await open(browser, `${url}#/${route}`);
    const height = await other.page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height < 5000, `${route}: ${height} px`);
    const folded = other.page.locator(".folded"), count = await folded.count(), open_ = other.page.locator(".folded[open]");
    assert.ok(count > 0, route);
    assert.equal(await open_.count(), 0);
    await folded.last().locator("summary").first().click();
    await other.page.waitForFunction(() => location.hash.includes("open="));
    await other.page.reload();
    await other.page.waitForSelector("html[data-ready]");
    assert.equal(await open_.count(), 1);
    const at = await folded.first().evaluate((one) => one.parentElement.id);
    await go(other.page, `#/${route}?at=${at}`);
    assert.ok(await folded.first().evaluate((one) => one.open));
    await other.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal(await open_.count(), count);
    assert.equal(await other.page.locator(".chart:not(:has(svg))").count(), 0);
    assert.deepEqual(other.complaints, []);
    await other.page.context().close();
  }
});

test("a filter of mechanisms holds for rows, headings and counts", async () => {
  const kinds = new Map(csv("problems.csv").map((row) => [row.problem, row.mechanism])), kind = kinds.get(someProblem());
  const other = await open(browser, `${url}#/outcomes?kinds=${encodeURIComponent(kind)}`);
  const cells = csv("cells.csv").filter((row) => (data.kinds[row.problem]) === kind);
  const legend = await other.page.locator(".legend").first().locator("li").allTextContents();
  const counted = Object.fromEntries(legend.map((text) => text.match(/(\w+) ([\d,]+)$/).slice(1)));
  for (const outcome of new Set(cells.map((row) => row.outcome)))
    assert.equal(Number(counted[outcome].replaceAll(",", "")), cells.filter((row) => row.outcome === outcome).length, outcome);
  assert.equal(Object.keys(counted).length, new Set(cells.map((row) => row.outcome)).size);
  for (const [id, number, text] of await other.page.locator("#outcomes > section").evaluateAll((all) => all.map((one) => [one.id, one.querySelector(".count")?.textContent, one.textContent])))
    assert.ok(number ? !number.startsWith(" 0 ") : text.includes("(not filtered)"), id);
  for (const name of await other.page.locator("#outcomes-failed tbody th, #outcomes-inaccurate tbody th").evaluateAll((all) => all.map((one) => one.textContent)))
    assert.equal(kinds.get(name), kind, name);
  await go(other.page, `#/problems?kinds=${encodeURIComponent(kind)}`);
  assert.ok((await other.page.locator("#problems tbody tr").count()) < kinds.size);
  await other.page.context().close();
});

async function isOneScreen(report, tiles, name, most = 940) {
  const other = await open(browser, `${report}#/overview`, { viewport: { width: 1400, height: 940 } });
  await other.page.screenshot({ path: join(screenshots, `${name}.png`) });
  const [height, width] = await other.page.evaluate(() => [document.documentElement.scrollHeight, document.documentElement.scrollWidth]);
  assert.ok(height <= most, `${height} px high`);
  assert.ok(width <= 1400, `${width} px wide`);
  for (const tile of tiles) assert.equal(await other.page.locator(`.tile-${tile}`).count(), 1, tile);
  assert.equal(await other.page.locator(".answers > li").count(), 5);
  assert.deepEqual(other.complaints, []);
  await other.page.context().close();
}
const TILES = ["status", "heat-map", "distribution", "answers", "claims"];

test("the overview is one screen of 1400 x 940", () => isOneScreen(url, TILES, "overview-1400"));

test("the overview is at most 1040 px high with a chart of cost growth, whose axes and curves are named", async () => {
  const wide = join(folder, "wide.sqlite");
  copyFileSync(store, wide);
  execFileSync("sqlite3", [wide, `
    UPDATE problem SET json = json_set(json, '$.family', 'branchN', '$.bodies', 600) WHERE name = 'branch4';
    UPDATE trial SET record = json_set(record, '$.bodies', 600) WHERE kind = 'evaluation' AND problem = 'branch4';`]);
  const report = makeReport(wide, "wide");
  await isOneScreen(report, [...TILES, "spark"], "overview-wide-1400", 1040);
  const other = await open(browser, `${report}#/overview`), spark = other.page.locator(".spark");
  const texts = await spark.locator("svg text").allTextContents(), curves = await spark.locator("svg path > title").allTextContents();
  assert.ok(texts.includes("bodies") && texts.includes("ns per body"), "the axes of the chart of cost growth are named");
  assert.ok(curves.length > 1);
  assert.deepEqual((await spark.locator("li").allTextContents()).sort(), curves.sort());
  await other.page.context().close();
});

// Rows of a CSV file of the report by header. Its fields contain no line breaks.
const csv = (name) => {
  const lines = readFileSync(join(folder, "quick", "csv", name), "utf8").trim().split("\n")
    .map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((match) => match[1] ?? match[2]));
  return lines.slice(1).map((line) => Object.fromEntries(line.map((field, i) => [lines[0][i], field])));
};
const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b), half = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(half)] : (sorted[half - 1] + sorted[half]) / 2;
};

const TARGET = 1e-6;
const EXPECTED = (row) => row.outcome === "skipped" || row.outcome === "timeout" || row.outcome === "out_of_memory";

// The rounds of the coarsest cell of a curve that holds the target and whose next finer cell holds it too; undefined without one.
function roundsAtTarget(cells, rounds) {
  const coarseToFine = cells.filter((cell) => !EXPECTED(cell) && cell.outcome !== "unsupported")
    .sort((a, b) => (b.tolerance || 0) - (a.tolerance || 0) || (b.step_s || 0) - (a.step_s || 0));
  const holds = (cell) => cell === undefined || (cell.error_max !== "" && ["ok", "inaccurate", "no_reference"].includes(cell.outcome) && Number(cell.error_max) <= TARGET);
  const found = coarseToFine.find((cell, i) => holds(cell) && holds(coarseToFine[i + 1]));
  if (!found) return undefined;
  const own = rounds.filter((row) => row.problem === found.problem && row.method === found.method && row.integrator === found.integrator &&
    row.tolerance === found.tolerance && row.step_s === found.step_s && row.cpu_s && (row.target === "" || Number(row.target) === TARGET));
  return own.length ? new Map(own.map((row) => [`${row.target}|${row.round}`, Number(row.cpu_s)])) : undefined;
}
const leastOf = (rounds) => Math.min(...rounds.values());
const ratioOf = (mine, other) => median([...mine].filter(([round]) => other.has(round)).map(([round, seconds]) => seconds / other.get(round)));

test("each field of the map is the median over its problems of the ratios of paired rounds", async () => {
  await go(page, "#/overview?measure=time_at_1e-6");
  const kinds = new Map(csv("problems.csv").map((row) => [row.problem, row.mechanism]));
  const cells = csv("cells.csv").filter((row) => row.integrator !== "kinsol"), rounds = csv("rounds.csv");
  const curves = new Map();
  for (const cell of cells) {
    const key = [cell.problem, cell.method, cell.integrator, cell.step_s ? "steps" : ""].join("|");
    curves.set(key, [...(curves.get(key) ?? []), cell]);
  }
  const best = new Map();  // rounds by problem, then family
  for (const [key, own] of curves) {
    const [problem, method] = key.split("|"), found = roundsAtTarget(own, rounds), family = method.split(":")[0];
    if (!found) continue;
    if (!best.has(problem)) best.set(problem, new Map());
    const known = best.get(problem).get(family);
    if (!known || leastOf(found) < leastOf(known)) best.get(problem).set(family, found);
  }
  let compared = 0;
  for (const label of await page.locator(".field").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))) {
    const [, family, kind, text] = label.match(/^(.+?), (.+), 1e-6: ([^,]+),/);
    if (!/^[\d.]+[?\u2020\u00b0]*$/.test(text)) continue;
    const ratios = [...best].filter(([problem, families]) => kinds.get(problem) === kind && families.has(family)).map(([, families]) => {
      const sorted = [...families.values()].sort((a, b) => leastOf(a) - leastOf(b));
      const base = sorted.find((one) => !sorted.some((other) => other !== one && ratioOf(other, one) < 1)) ?? sorted[0];
      return ratioOf(families.get(family), base);
    });
    const [reached] = label.match(/(\d+)\/\d+/).slice(1).map(Number);
    assert.equal(ratios.length, reached, label);
    const counted = Number(label.match(/(\d+)\/(\d+)/)[2]);
    while (ratios.length < counted) ratios.push(Infinity);  // of a quick run, which is complete
    assert.ok(Math.abs(parseFloat(text) / median(ratios) - 1) < 0.006, `${label}: ${median(ratios)}`);
    compared += 1;
  }
  assert.ok(compared > 3);
});

test("a field of the map opens the list of its problems, and closes it again", async () => {
  const other = await open(browser, `${url}#/overview`);
  const field = other.page.locator(".field:not(.hatch)").first(), label = await field.getAttribute("aria-label");
  await field.click();
  await other.page.locator(".field-problems tbody tr").first().waitFor();
  assert.equal(await other.page.locator(".field-problems tbody tr").count(), Number(label.match(/\d+\/(\d+)/)[1]));
  await other.page.screenshot({ path: join(screenshots, "field-1400.png"), fullPage: true });
  await other.page.locator(".field-problems tbody th a").first().click();
  await other.page.waitForFunction(() => location.hash.startsWith("#/problem/"));
  await go(other.page, "#/overview");
  assert.equal(await other.page.locator(".field-problems tbody").count(), 0);
  await other.page.getByRole("checkbox").check();
  assert.ok(await other.page.locator(".field").count() > 0);
  assert.deepEqual(other.complaints, []);
  await other.page.context().close();
});

test("a work-precision diagram shows error against time or against evaluations", async () => {
  const other = await open(browser, `${url}#/${routeOf(someProblem())}`);
  const figure = other.page.locator("figure", { hasText: "Work-precision diagram" });
  await figure.scrollIntoViewIfNeeded();
  await figure.locator(".chart svg").first().waitFor();
  await figure.getByRole("button", { name: "evaluations" }).click();
  await figure.locator(".chart svg text", { hasText: "evaluations of the equations" }).waitFor();
  const again = await open(browser, await other.page.evaluate(() => location.href));
  await again.page.locator("figure", { hasText: "Work-precision diagram" }).scrollIntoViewIfNeeded();
  await again.page.locator("figure .chart svg text", { hasText: "evaluations of the equations" }).waitFor();
  assert.deepEqual([...other.complaints, ...again.complaints], []);
  await other.page.context().close();
  await again.page.context().close();
});

test("a claim on the overview leads to its verdict and opens its conditions", async () => {
  const other = await open(browser, `${url}#/overview`);
  await other.page.locator(".chip").first().click();
  await other.page.waitForFunction(() => location.hash.startsWith("#/claims"));
  await other.page.locator("#claims .folded[open]").waitFor();
  const tables = other.page.locator("#claims .table");
  assert.equal(await tables.first().locator("tbody tr").count(), 1);
  assert.ok(await tables.last().isVisible());
  await other.page.context().close();
});

test("an unknown address is reported, and the address of a section opens it", async () => {
  for (const hash of ["#problem-nowhere", "#/nowhere", "#/cell/nowhere/0123", "#/%zz"]) {
    const other = await open(browser, url + hash);
    assert.match(await other.page.locator("#page h2").textContent(), /No such page/, hash);
    assert.ok((await other.page.locator("#page code").textContent()).length > 1, "it names what was asked for");
    assert.deepEqual(await other.page.locator("#page a").allTextContents(), ["overview", "problems", "methods"]);
    assert.doesNotMatch(await other.page.locator("#content").textContent(), / of \d+|pages/);
    assert.deepEqual(other.complaints, []);
    await other.page.context().close();
  }
  for (const [hash, route] of [["", "overview"], ["#claims", "claims"]]) {
    const other = await open(browser, url + hash);
    assert.equal(await other.page.evaluate(() => document.body.dataset.page), route, hash);
    await other.page.context().close();
  }
});

test("a cell has a page with its outcome, its rounds and the command that reproduces it", async () => {
  const [{ key, method, error, command }] = rows(store, `SELECT key, method, json_extract(record, '$.error.max') AS error,
    json_extract(record, '$.command') AS command FROM trial WHERE kind = 'accuracy' AND outcome = 'ok' AND problem = '${someProblem()}'
    AND json_extract(record, '$.error.max') > 0 LIMIT 1`);
  await go(page, `#/cell/${routeOf(someProblem()).split("/")[1]}/${key.slice(0, 12)}`);
  const text = await page.locator("#page").textContent();
  const printed = error < 1e-2 ? error.toExponential(3) : error.toPrecision(4);
  for (const part of [method, "ok", command, printed, "round 1", "evaluations"]) assert.ok(text.includes(part), `${part} in ${text}`);
  await shot("cell");
  // the key in cells.csv
  await go(page, "#/overview");
  await go(page, `#/cell/${routeOf(someProblem()).split("/")[1]}/${key}`);
  assert.ok((await page.locator("#page").textContent()).includes(command));
  assert.deepEqual(complaints, []);
});

test("a cell links to its point in the diagram and to its motion in the player", async () => {
  const { series } = data.sections.flatMap((one) => one.sections).find((one) => one.page === routeOf(someProblem()))
    .blocks.find((block) => block.drawn_as === "work-precision").data;
  const route = series[0].points.find((point) => point[1] !== null)[8];
  // Marks, not the lines that show the spread of rounds.
  const sizes = () => page.locator("figure").first().locator(".chart path").evaluateAll((all) => all.map((one) => one.getBoundingClientRect())
    .filter(({ width, height }) => Math.min(width, height) > 14 && Math.max(width, height) < 26).length);
  await go(page, `#/${routeOf(someProblem())}`);
  await page.locator("figure").first().scrollIntoViewIfNeeded();
  await page.locator("figure .chart svg").first().waitFor();
  const before = await sizes();
  await go(page, `#/${route}`);
  await page.getByText("Show in the diagram").click();
  await page.waitForFunction((to) => location.hash.startsWith(`#/${to}?mark=`), routeOf(someProblem()));
  await page.locator("figure .chart svg").first().waitFor();
  for (let wait = 0; wait < 50 && (await sizes()) !== before + 1; ++wait) await page.waitForTimeout(100);
  assert.equal(await sizes(), before + 1);
  const diagram = await page.locator("figure").first().boundingBox();
  assert.ok(Math.abs(diagram.y) < 100, `the diagram begins at ${diagram.y} px`);
  assert.deepEqual(complaints, []);
});

test("at 400 px the page does not scroll sideways, and the first screen of a problem has times at the targets", async () => {
  const other = await open(browser, `${url}#/overview`, { viewport: { width: 400, height: 800 } });
  for (const { route } of [...data.pages, { route: routeOf(someProblem()) }]) {
    await go(other.page, `#/${route}`);
    assert.ok(await other.page.evaluate(() => document.documentElement.scrollWidth) <= 400, route);
  }
  const row = await other.page.locator(".table tbody tr").first().boundingBox();
  assert.ok(row.y + row.height <= 800, `the first row of the table ends at ${row.y + row.height} px`);
  assert.ok(await other.page.locator("nav a").first().isHidden());
  await other.page.locator("nav button").click();
  await other.page.locator("nav a", { hasText: "Outcomes" }).click();
  await other.page.waitForFunction(() => document.title.startsWith("Outcomes"));
  assert.ok(await other.page.locator("nav a").first().isHidden(), "the list closes when a page is chosen");
  await go(other.page, "#/overview");
  await other.page.screenshot({ path: join(screenshots, "overview-400.png"), fullPage: true });
  // one kind of mechanism at a time, selected above the map
  const pick = other.page.locator(".pick-kind"), kinds = await pick.locator("option").allTextContents();
  const shown = async () => (await other.page.locator(".heat thead th:not(:first-child)").filter({ visible: true }).allTextContents());
  assert.deepEqual(await shown(), [kinds[0]]);
  await pick.selectOption({ index: kinds.length - 1 });
  assert.deepEqual(await shown(), [kinds.at(-1)]);
  await other.page.context().close();
});

test("a chart follows its width in the same frame", async () => {
  const other = await open(browser, `${url}#/overview`);
  await other.page.locator(".chart svg").first().waitFor();
  assert.equal(await other.page.locator(".chart").first().evaluate((chart) => new Promise((done) => {
    chart.style.width = "300px";
    new ResizeObserver(() => done(chart.querySelector("svg").getAttribute("width"))).observe(chart);
  })), "300");
  await other.page.context().close();
});

test("printing a page draws every chart", async () => {
  const other = await open(browser, `${url}#/${routeOf(someProblem())}`);
  await other.page.pdf({ path: join(screenshots, "problem.pdf") });
  assert.equal(await other.page.locator(".chart:not(:has(svg))").count(), 0);
  await other.page.emulateMedia({ media: "print" });
  await other.page.setViewportSize({ width: 718, height: 1000 });
  await other.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const [wide, mechanism] = await other.page.evaluate(() => [[...document.querySelectorAll("table")].filter((one) => one.offsetWidth > 718)
    .map((one) => `${one.caption?.textContent}: ${one.offsetWidth}`), document.querySelector(".paper")?.naturalWidth]);
  assert.deepEqual(wide, [], "tables wider than a page of A4");
  assert.ok(mechanism > 0, "the mechanism is drawn");
  assert.ok(await other.page.locator(".on-paper").isVisible(), "the note on printing one page is visible");
  for (const button of await other.page.getByRole("button", { name: /copy|play|log|linear/i }).all()) assert.ok(await button.isHidden());
  await go(other.page, "#/overview");
  assert.ok(await other.page.locator(".words > p > b").first().isVisible(), "explanations print");
  assert.ok(await other.page.locator(".words .as-table").first().isHidden(), "what stays closed does not");
  assert.ok(await other.page.locator(".field b").first().isVisible(), "the map prints its ratios");
  await other.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await other.page.locator(".tile-heat-map .heat").count(), await other.page.locator(".map-controls .choice button").count(),
    "the map prints all its measures");
  assert.ok(await other.page.locator("nav").isHidden());
  await go(other.page, "#/outcomes");
  assert.equal(await other.page.locator("#outcomes > p a").filter({ visible: true }).count(), 0, "links within the page do not print");
  assert.deepEqual(other.complaints, []);
  await other.page.context().close();
});

test("the back button returns to the previous page", async () => {
  await go(page, "#/scaling");
  await page.locator("nav a", { hasText: "Outcomes" }).click();
  await page.waitForFunction(() => document.title.startsWith("Outcomes"));
  await page.goBack();
  await page.waitForFunction(() => document.title.startsWith("Scaling"));
});

test("a filter shows one method on every page, and a link includes it", async () => {
  const { method } = solvedCells(someProblem())[0];
  await go(page, "#/outcomes");
  const all = await page.locator(".bars thead th").count();
  await page.locator(".filters > summary").click();
  const methods = page.locator(".chips").first();
  await methods.getByRole("button", { name: "none", exact: true }).click();
  await methods.getByRole("button", { name: method, exact: true }).click();
  assert.ok(all > 2);
  assert.deepEqual(await page.locator(".bars thead th").allTextContents(), ["family (problems)", method]);
  await page.locator(".bars tbody button", { hasText: someProblem().split(":")[0] }).first().click();

  const other = await open(browser, await page.evaluate(() => location.href));
  const heads = await other.page.locator(".bars thead th, .matrix thead tr:first-child th").allTextContents();
  assert.deepEqual(heads, ["family (problems)", method, "problem", method]);
  // and from there to another page
  await other.page.locator(".matrix tbody th a", { hasText: someProblem() }).first().click();
  await other.page.waitForFunction(() => location.hash.startsWith("#/problem/"));
  await other.page.getByRole("button", { name: "every curve" }).click();
  await other.page.locator(".curves button").first().waitFor();
  const names = await other.page.locator(".curves button").allTextContents();
  assert.ok(names.length > 0 && names.every((name) => name.trim().startsWith(method)), names.join());
  const remarks = await other.page.locator("figure").first().locator(".notes li").allTextContents();
  assert.ok(remarks.every((one) => !/^(Not drawn|Caution): /.test(one) || one.includes(`: ${method},`)), remarks.join("\n"));
  await other.page.context().close();
  await methods.getByRole("button", { name: "all", exact: true }).click();
});

test("rows are filtered by words and sorted by value, and the address records it", async () => {
  await go(page, "#/claims");  // the number of claims does not depend on the run
  const claims = page.locator(".table").first(), papers = claims.locator("tbody th");
  const all = await papers.count();
  await claims.locator("input[type=search]").fill("attia");
  const found = await papers.allTextContents();
  assert.ok(found.length > 0 && found.length < all && found.every((name) => name.startsWith("Attia")), found.join());
  assert.match(await page.evaluate(() => location.hash), /paper_claims\.[\w.-]+\.rows=attia/);
  await go(page, "#/problems");
  const table = page.locator(".table").first();
  await table.getByRole("button", { name: "bodies", exact: true }).click();
  const bodies = (await table.locator("tbody td:nth-child(4)").allTextContents()).map((text) => Number(text.replaceAll(",", "")));
  assert.deepEqual(bodies, [...bodies].sort((a, b) => a - b));
  assert.match(await page.evaluate(() => location.hash), /sort=3,up/);
});

const blocksOf = (report, blocks) => {
  const found = [];
  const search = (sections, route) => sections.forEach((section) => {
    const at = section.page || route;
    for (const block of section.blocks.filter(blocks)) found.push({ route: at, block });
    search(section.sections, at);
  });
  search(report.sections, "");
  return found;
};
// Two blocks of one page that show the same data.
const pageWithTwo = (report, blocks) => {
  const found = blocksOf(report, blocks);
  for (const first of found) {
    const second = found.find((one) => one !== first && one.route === first.route && one.block.csv && one.block.csv === first.block.csv);
    if (second) return [first.route, first.block, second.block];
  }
  return assert.fail("no page has two blocks with the same data");
};

test("two tables of the same data are sorted independently, and a reload keeps the order", async () => {
  // in a quick run no method refuses a problem: one of the two tables would be empty
  const copy = join(folder, "refused.sqlite");
  rows(store, `VACUUM INTO '${copy}'`);
  execFileSync("sqlite3", [copy, `UPDATE trial SET reason = 'told by ' || key, outcome = CASE method WHEN
    (SELECT MAX(method) FROM trial WHERE problem = '${someProblem()}' AND kind = 'accuracy') THEN 'unsupported' ELSE 'diverged' END
    WHERE problem = '${someProblem()}' AND kind = 'accuracy'`]);
  const { page: first, complaints: none } = await open(browser, makeReport(copy, "refused"));
  const [route, one, two] = pageWithTwo(await reportData(first), (block) => block.kind === "table" && block.rows.length > 1);
  await go(first, `#/${route}`);
  await unfold(first);
  await first.waitForTimeout(200);
  const tableOf = (where, table) => where.locator(".table", { has: where.getByRole("region", { name: table.caption, exact: true }) });
  await tableOf(first, one).locator("thead button").last().click();
  const other = await open(browser, await first.evaluate(() => location.href));
  assert.equal(await tableOf(other.page, one).locator("th[aria-sort]").count(), 1);
  assert.equal(await tableOf(other.page, two).locator("th[aria-sort]").count(), 0);
  assert.ok(await tableOf(other.page, two).locator("tbody tr").count() > 1);
  assert.deepEqual([...none, ...other.complaints], []);
  await first.context().close();
  await other.page.context().close();
});

test("an address with unknown columns, views or curves ignores them", async () => {
  const [{ route, block: { title, csv } }] = blocksOf(data, (block) => block.drawn_as === "work-precision" && block.data.series.length > 0);
  const figure = (where) => where.locator("figure", { has: where.getByRole("heading", { name: title, exact: true }) });
  const other = await open(browser, `${url}#/${route}`);
  // the figure's name in addresses, as the page writes it
  await figure(other.page).locator(".curves button").first().click();
  const id = (await other.page.evaluate(() => location.hash)).match(/[?&]([^=&]+)\.hide=/)[1];
  assert.ok(id.startsWith(csv.replace(/\.csv$/, "")));
  await other.page.goto("about:blank");
  await other.page.goto(`${url}#/${route}?${id}.view=9&${id}.hide=99,x,-1`);
  await other.page.waitForSelector("html[data-ready]");
  await figure(other.page).scrollIntoViewIfNeeded();
  await figure(other.page).locator(".chart svg path").first().waitFor({ state: "attached" });
  assert.equal(await figure(other.page).locator(".curves button[aria-pressed=false]").count(), 0);
  assert.deepEqual(other.complaints, []);

  await go(page, "#/claims");  // which leaves the order that an earlier test may have chosen
  await go(page, "#/problems");
  const table = (where) => where.locator(".table").first();
  await table(page).getByRole("button", { name: "bodies", exact: true }).click();
  const sorted = await page.evaluate(() => location.href);
  assert.match(sorted, /sort=3,up/);
  for (const column of ["99", "-1", "1.5", "x", ""]) {
    await other.page.goto("about:blank");
    await other.page.goto(sorted.replace("sort=3,", `sort=${column},`));
    await other.page.waitForSelector("html[data-ready]");
    assert.equal(await table(other.page).locator("th[aria-sort]").count(), 0, column);
    assert.ok(await table(other.page).locator("tbody tr").count() > 0, column);
  }
  assert.deepEqual(other.complaints, []);
  await other.page.context().close();
});

test("errors and times on a problem's page agree with the store to the printed digits", async () => {
  const problem = someProblem(), cells = solvedCells(problem);
  await go(page, `#/${routeOf(problem)}`);
  await page.locator("figure", { hasText: "Work-precision diagram" }).locator("details > summary", { hasText: "The same as a table" }).click();
  const lines = page.locator("figure", { hasText: "Work-precision diagram" }).locator("details tbody tr");
  await lines.first().waitFor();
  const printed = await lines.evaluateAll((all) =>
    all.map((line) => [...line.children].map((cell) => cell.textContent)));
  const byName = new Map(printed.map((line) => [line.slice(0, 3).join("|"), line]));
  const short = (value) => value.toExponential(1).replace(".0e", "e");
  const fourDigits = (value) => execFileSync("printf", ["%.4g", String(value)], { encoding: "utf8" });
  const units = { s: 1, ms: 1e-3, "\u00b5s": 1e-6, ns: 1e-9 };
  let compared = 0;
  for (const cell of cells) {
    const setting = cell.tolerance !== null ? `tol ${short(cell.tolerance)}` : `h ${fourDigits(cell.step)} s`;
    const line = byName.get([cell.method, cell.integrator, setting].join("|"));
    assert.ok(line, `${problem}, ${cell.method}, ${cell.integrator}, ${setting} is not on the page`);
    assert.equal(line[4], short(cell.error));
    const [number, unit] = line[6].split(" ");
    const digit = 10 ** -(number.split(".")[1] ?? "").length;
    assert.ok(Math.abs(Number(number) - cell.seconds / units[unit]) <= 0.501 * digit, `${line[6]} for ${cell.seconds} s`);
    compared += 1;
  }
  assert.ok(compared > 5 && compared === cells.length);
});

test("axes can be linear, curves hidden, and both survive a reload", async () => {
  await go(page, `#/${routeOf(someProblem())}`);
  const figure = page.locator("figure", { hasText: "Work-precision diagram" });
  await figure.scrollIntoViewIfNeeded();
  await figure.getByRole("button", { name: "every curve" }).click();
  const paths = figure.locator(".chart svg path");
  await paths.first().waitFor({ state: "attached" });
  const before = await paths.count();
  await figure.locator(".curves button").first().click();
  await figure.locator(".scale").first().getByRole("button", { name: "linear" }).click();
  assert.ok(await paths.count() < before);
  const other = await open(browser, await page.evaluate(() => location.href));
  const again = other.page.locator("figure", { hasText: "Work-precision diagram" });
  assert.equal(await again.locator(".curves button").first().getAttribute("aria-pressed"), "false");
  assert.equal(await again.locator(".scale").first().getByRole("button", { name: "linear" }).getAttribute("aria-pressed"), "true");
  await other.page.context().close();
});

test("the player plays, stops at a chosen time, and overlays two cells", async () => {
  await go(page, `#/${routeOf(someProblem())}`);
  const player = page.locator(".player"), stage = player.locator(".stage");
  await stage.scrollIntoViewIfNeeded();
  await page.waitForSelector(".stage[data-drawn]");
  const time = async () => Number(await stage.getAttribute("data-time"));
  const picture = () => stage.screenshot();
  assert.equal(await time(), 0);
  const first = await picture();
  await player.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => Number(document.querySelector(".stage").dataset.time) > 0.02);
  await player.getByRole("button", { name: "Pause" }).click();
  const stopped = await time();
  await page.waitForTimeout(200);
  assert.equal(await time(), stopped);
  assert.ok(!first.equals(await picture()), "the picture did not move");
  await player.locator("input[type=range]").focus();
  await page.keyboard.press("End");
  assert.ok(await time() > stopped);
  const alone = await picture();
  const list = player.locator("select").nth(1);
  await list.selectOption({ index: 2 });
  assert.ok(!alone.equals(await picture()), "the second cell is not visible");
  await stage.screenshot({ path: join(screenshots, "player-two-cells.png") });
  assert.deepEqual(complaints, []);
});

test("the lists of problems and of steady states draw each mechanism whose motion is in the store", async () => {
  for (const [route, prefix] of [["problems", ""], ["steady", "steady-"]]) {
    await go(page, `#/${route}`);
    const places = await page.locator(".picture").all();
    const recorded = await page.locator(`script[id^="motions-${prefix}"]`).evaluateAll((all, steady) =>
      all.filter((one) => one.id.startsWith("motions-steady-") === steady).length, prefix !== "");
    assert.ok(recorded > 0 && places.length === recorded, `${places.length} drawings of ${recorded} on ${route}`);
    for (const place of places) {
      await place.scrollIntoViewIfNeeded();
      await place.locator("svg .body").first().waitFor({ state: "attached" });
      const inside = await place.locator("svg").evaluate((svg) => {
        const [box, frame] = [svg.getBBox(), svg.viewBox.baseVal];
        return box.width + box.height > 10 && box.x >= 0 && box.y >= 0 && box.x + box.width <= frame.width && box.y + box.height <= frame.height;
      });
      assert.ok(inside, `a drawing of ${route} is empty or cut`);
    }
  }
});

test("leaving a page disposes of its drawings", async () => {
  const other = await open(browser, "about:blank", { isReport: false });
  // the listeners for dragging on the picture that all pages share
  await other.page.addInitScript(() => {
    window.drags = new Set();
    for (const [name, note] of [["addEventListener", "add"], ["removeEventListener", "delete"]]) {
      const original = EventTarget.prototype[name];
      EventTarget.prototype[name] = function noted(type, listener, ...rest) {
        if (type === "pointerdown" && (this instanceof HTMLCanvasElement || this instanceof SVGSVGElement)) window.drags[note](listener);
        return original.call(this, type, listener, ...rest);
      };
    }
  });
  const drags = () => other.page.evaluate(() => window.drags.size);
  await other.page.goto(url);
  const problems = data.pages.filter((one) => one.parent === "problems").slice(0, 3);
  assert.equal(problems.length, 3);
  let charts = [];
  for (const { route } of problems) {
    await go(other.page, `#/${route}`);
    for (const chart of charts) assert.equal(await chart.evaluate((element) => element.childElementCount), 0);
    await other.page.locator(".stage").scrollIntoViewIfNeeded();
    await other.page.waitForSelector(".stage[data-drawn]");
    assert.equal(await drags(), 1);
    const chart = other.page.locator(".chart").first();
    await chart.scrollIntoViewIfNeeded();
    await chart.locator("svg").waitFor();
    charts = await other.page.locator(".chart:has(svg)").elementHandles();
  }
  await go(other.page, "#/claims");
  for (const chart of charts) assert.equal(await chart.evaluate((element) => element.childElementCount), 0);
  assert.equal(await drags(), 0);
  assert.deepEqual(other.complaints, []);
  await other.page.context().close();
});

test("the player does not interpolate between samples many characteristic times apart", async () => {
  const problem = someProblem();
  await go(page, `#/${routeOf(problem)}`);
  await page.locator(".stage").scrollIntoViewIfNeeded();
  await page.waitForSelector(".stage[data-drawn]");
  assert.doesNotMatch(await page.locator(".player > p").textContent(), /follow one another/);
  const copy = join(folder, "aliased.sqlite");
  rows(store, `VACUUM INTO '${copy}'`);
  execFileSync("sqlite3", [copy, `UPDATE problem SET json = json_set(json, '$.time', 1e-3) WHERE name = '${problem}'`]);
  const other = await open(browser, `${makeReport(copy, "aliased")}#/${routeOf(problem)}`);
  await other.page.locator(".stage").scrollIntoViewIfNeeded();
  await other.page.waitForSelector(".stage[data-drawn]");
  assert.match(await other.page.locator(".player > p").textContent(), /the recorded samples follow one another/);
  await other.page.context().close();
});

test("without WebGL the mechanism is drawn as SVG", async () => {
  const bare = await open(browser, url);
  await bare.page.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function withoutWebGL(kind, ...rest) { return /webgl/.test(kind) ? null : original.call(this, kind, ...rest); };
  });
  await bare.page.goto(`${url}#/${routeOf(someProblem())}`);
  await bare.page.reload();
  await bare.page.locator(".stage").scrollIntoViewIfNeeded();
  await bare.page.waitForSelector(".stage[data-drawn]");
  assert.ok(await bare.page.locator(".stage svg path").count() > 3);
  await bare.page.context().close();
});

test("the keyboard reaches the content, and dark pages have the contrast of WCAG AA", async () => {
  const fresh = await open(browser, url);
  await fresh.page.keyboard.press("Tab");
  assert.equal(await fresh.page.evaluate(() => document.activeElement.className), "skip");
  await fresh.page.keyboard.press("Enter");
  assert.equal(await fresh.page.evaluate(() => document.activeElement.id), "content");
  await fresh.page.context().close();
  for (const colorScheme of ["light", "dark"]) {
    const other = await open(browser, url, { colorScheme });
    for (const route of ["overview", "outcomes", "claims", "validation", routeOf(someProblem())]) {
      await go(other.page, `#/${route}`);
      const worst = await other.page.evaluate(() => {
        const parse = (text) => text.match(/[\d.]+/g).map(Number);
        const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
          .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
        const behind = (element) => {
          for (let at = element; at; at = at.parentElement) {
            const background = parse(getComputedStyle(at).backgroundColor);
            if (background.length === 3 || background[3] === 1) return background;
          }
          return [255, 255, 255];
        };
        const contrasts = [...document.querySelectorAll("p, li, td, th, a, button, h1, h2, h3, h4, code, summary")].filter((e) => e.textContent.trim() && e.offsetParent)
          .map((e) => {
            const [a, b] = [luminance(parse(getComputedStyle(e).color)), luminance(behind(e))].sort((x, y) => y - x);
            return [(a + 0.05) / (b + 0.05), e.outerHTML.slice(0, 120)];
          });
        return contrasts.sort((a, b) => a[0] - b[0])[0];
      });
      assert.ok(worst[0] >= 4.5, `${colorScheme}, ${route}: contrast ${worst[0].toFixed(2)} of ${worst[1]}`);
    }
    await go(other.page, "#/overview");
    await other.page.screenshot({ path: join(screenshots, `overview-${colorScheme}.png`), fullPage: true });
    await other.page.context().close();
  }
});
