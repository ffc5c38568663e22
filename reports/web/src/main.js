// Draws the report that the page holds as JSON. Everything is computed before; nothing here computes results.
import { h } from "./dom.js";
import { showErrors } from "./errors.js";
import { navigation } from "./navigation.js";
import { renderSection } from "./section.js";
import { inline } from "./inline.js";
import { setUpTheme } from "./theme.js";

showErrors();
setUpTheme(document.getElementById("theme"));

const report = JSON.parse(document.getElementById("report-data").textContent);
document.title = report.title;
document.getElementById("title").textContent = report.title;
document.getElementById("subtitle").append(...inline(report.subtitle));

const content = document.getElementById("content");
for (const section of report.sections) content.append(renderSection(section, 2));
document.getElementById("navigation").append(navigation(report.sections, content));
content.append(h("p", { class: "end" }, "End of the report."));

// The browser looked for the target of a link before it was there.
if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
document.documentElement.dataset.ready = "yes";
