// In a browser the page; elsewhere what draws its figures for papers.
import { drawReport } from "./main.js";
import { drawSvg } from "./paper.js";

if (typeof document === "undefined") globalThis.mbsbench = { drawSvg };
else drawReport();
