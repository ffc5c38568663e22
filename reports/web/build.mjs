// Builds dist/ from src/. The result depends on the locked versions alone, so that CI can compare it byte for byte.
import { build } from "esbuild";

const common = { bundle: true, minify: true, target: ["es2020"], charset: "ascii", legalComments: "inline", logLevel: "info" };

await build({ ...common, entryPoints: ["src/main.js"], format: "iife", outfile: "dist/report.js" });
await build({ ...common, entryPoints: ["src/style.css"], outfile: "dist/report.css" });
