// Builds dist/ from src/. The result depends on the locked versions alone, so that CI can compare it byte for byte.
import { readFileSync } from "node:fs";
import { build } from "esbuild";

// The licences of what is built in go with it.
const license = (name, file) => readFileSync(`node_modules/${name}/${file}`, "utf8").trim();
const banner = `/*! Built from the sources in reports/web/src and from
Apache ECharts (Apache License 2.0). ${license("echarts", "NOTICE")}

ZRender (BSD 3-Clause). ${license("zrender", "LICENSE")}

tslib (0BSD), Copyright (c) Microsoft Corporation.

three.js (MIT). ${license("three", "LICENSE")}

fflate (MIT). ${license("fflate", "LICENSE")}
*/`;

const common = { bundle: true, minify: true, target: ["es2020"], charset: "ascii", legalComments: "inline", logLevel: "info" };

await build({ ...common, entryPoints: ["src/main.js"], format: "iife", outfile: "dist/report.js", banner: { js: banner } });
await build({ ...common, entryPoints: ["src/paper/main.js"], format: "cjs", platform: "node", outfile: "dist/paper.cjs" });
await build({ ...common, entryPoints: ["src/style.css"], outfile: "dist/report.css" });
