// Shared by the tests: a report made by the program under test, a browser that shows it, and rows of a store read by SQLite's own
// shell, independent of the report's code.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { chromium } from "playwright-core";

const need = (name) => {
  if (!process.env[name]) throw new Error(`set ${name}: run the tests by tests/browser/run.sh`);
  return process.env[name];
};

export const folder = mkdtempSync(join(tmpdir(), "mbsbench-browser-"));
export const screenshots = need("SCREENSHOTS");
mkdirSync(screenshots, { recursive: true });

export function makeReport(store, name, options = []) {
  const output = join(folder, name);
  execFileSync(need("MBSBENCH"), ["report", "--store", store, "--output", output, ...options], { stdio: "pipe" });
  return `file://${join(output, "report.html")}`;
}

export const rows = (store, sql) =>
  JSON.parse(execFileSync("sqlite3", ["-readonly", "-json", store, sql], { encoding: "utf8", maxBuffer: 1 << 30 }) || "[]");

const PATIENCE = 60000;  // [ms] for a machine busy with other work; speed is measured in processor time

export const launch = () => chromium.launch({ timeout: PATIENCE, executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-background-networking", "--disable-dev-shm-usage", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });

// A page that records every error and warning of the browser.
export async function open(browser, url, { isReport = true, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !/GPU stall|swiftshader|WebGL/i.test(message.text()) &&
    complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => !/^(file|data|blob|about):/.test(request.url())
    && complaints.push(`asks the network for ${request.url()}`));
  await page.goto(url);
  if (isReport) await page.waitForSelector("html[data-ready]");
  return { page, complaints };
}

// Opens another page of the same report by its address.
export async function go(page, hash) {
  await page.evaluate((to) => { location.hash = to; }, hash);
  await page.waitForFunction((to) => location.hash.startsWith(to.split("?")[0]), hash);
  await page.waitForTimeout(50);
}

export const reportData = async (page) => JSON.parse(inflateSync(Buffer.from(
  await page.evaluate(() => document.getElementById("report-data").textContent), "base64")));
