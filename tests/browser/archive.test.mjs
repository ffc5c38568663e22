// An archive in a published reader of RO-Crates, which refuses broken ones, and in a report beside another run.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, lstatSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { folder, go, launch, makeReport, open, reportData } from "./support.mjs";

// The reader asks for the name of the context only; that of each term is in the archive.
globalThis.fetch = async () => new Response(JSON.stringify({ name: "RO-Crate JSON-LD Context" }));
const { validate } = await import("ro-crate");

const store = process.env.STORE, archive = join(folder, "archive");
before(() => execFileSync(process.env.MBSBENCH, ["archive", store, "--output", archive], { stdio: "pipe" }));

// What the reader finds wrong with a folder.
async function faults(at) {
  const files = Object.fromEntries(readdirSync(at, { recursive: true }).map((name) => {
    const isDir = lstatSync(join(at, name)).isDirectory();
    return [isDir ? `${name}/` : name, { exists: true, isDir }];
  }));
  const results = await validate(JSON.parse(readFileSync(join(at, "ro-crate-metadata.json"), "utf8")), files);
  return results.filter(({ status }) => status === "error").map(({ id, entity }) => entity ?? id);
}

// The archive with another graph.
function changed(name, change) {
  const at = join(folder, name), file = join(at, "ro-crate-metadata.json");
  cpSync(archive, at, { recursive: true });
  const crate = JSON.parse(readFileSync(file, "utf8"));
  change(crate, crate["@graph"].find((one) => one["@id"] === "./"));
  writeFileSync(file, JSON.stringify(crate));
  return at;
}

test("a published reader accepts an archive and refuses broken ones", async () => {
  assert.deepEqual(await faults(archive), []);
  assert.deepEqual(await faults(changed("unlicensed", (_, root) => delete root.license)), ["licenseRequired"]);
  assert.deepEqual(await faults(changed("unknown-term", (crate) => delete crate["@context"][1].description)), ["descriptionRequired"]);
  const incomplete = changed("incomplete", () => {});
  rmSync(join(incomplete, "report.html"));
  assert.deepEqual(await faults(incomplete), ["report.html"]);
});

test("a report draws an archive in grey against evaluations, and not against time", async () => {
  const browser = await launch();
  after(() => browser.close());
  const { page, complaints } = await open(browser, makeReport(store, "beside", ["--against", archive]));
  const data = await reportData(page), problems = data.pages.filter(({ route }) => route.startsWith("problem/"));
  const grey = (figure) => figure.locator(".chart svg path[stroke='#a3a9b0'], .chart svg path[fill='#a3a9b0']");
  await page.evaluate(() => localStorage.setItem("mbsbench-theme", "light"));
  for (const { route } of problems) {
    await go(page, `#/${route}`);
    const figure = page.locator("figure", { hasText: "Work-precision diagram" });
    if (await figure.count() === 0 || await figure.getByRole("button", { name: "every curve" }).count() === 0) continue;
    const entries = figure.locator("button", { hasText: archive });
    await figure.getByRole("button", { name: "CPU time" }).click();
    assert.equal(await entries.count(), 0);
    await figure.getByRole("button", { name: "evaluations" }).click();
    assert.ok(await entries.count() > 0);
    await figure.locator(".chart svg text", { hasText: "evaluations of the equations" }).waitFor();
    assert.ok(await grey(figure).count() > 0);
    assert.deepEqual(complaints, []);
    return;
  }
  assert.fail("no problem has a work-precision diagram");
});
