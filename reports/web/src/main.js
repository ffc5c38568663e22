// Draws the report that the page holds as JSON. Everything is computed before; nothing here computes results.
import { cellPage } from "./cell.js";
import { h } from "./dom.js";
import { showErrors } from "./errors.js";
import { filterBar, setKinds } from "./filters.js";
import { renderNavigation } from "./navigation.js";
import { inline } from "./inline.js";
import { leavePage } from "./leave.js";
import { pageLink } from "./link.js";
import { readPacked } from "./packed.js";
import { pageOfSection, renderPage } from "./page.js";
import { fitTables } from "./paper_tables.js";
import { address, FILTERS, onAddressChange, parameter, replaceAddress } from "./router.js";
import { clearListeners, setUpTheme } from "./theme.js";

function noSuchPage(asked) {
  return h("div", { id: "page", tabindex: "-1" }, h("section", {}, h("h2", {}, "No such page"),
    h("p", {}, "The address asks for ", h("code", {}, asked), ", which this report does not have. Its store may not hold it, or the address is of another report."),
    h("p", {}, "Go to the ", pageLink("overview", "overview"), ", or search the lists of ", pageLink("problems", "problems"), " and ", pageLink("methods", "methods"), ".")));
}

function drawReport() {
  showErrors();
  setUpTheme(document.getElementById("theme"));

  const report = readPacked("report-data");
  setKinds(report.kinds);
  const content = document.getElementById("content"), navigation = document.getElementById("navigation");
  const side = document.querySelector("nav");
  document.getElementById("title").textContent = report.title;
  document.getElementById("subtitle").append(...inline(report.subtitle));

  // The page of the address. An address that names a section alone is corrected; one that names nothing that is here has a page that
  // says so.
  function currentPage() {
    const { route, anchor } = address();
    const named = report.pages.find((page) => page.route === route);
    if (named) return named;
    const cell = cellPage(route);
    if (cell) return { route, ...cell };
    const holding = anchor && report.pages.find((page) => page.route === pageOfSection(report, anchor));
    if (holding) {
      replaceAddress(holding.route, { at: anchor });
      return holding;
    }
    if (!route && !anchor) {
      replaceAddress(report.pages[0].route, {});
      return report.pages[0];
    }
    return { route: "", title: "No such page", asked: route || anchor };
  }

  function drawPage() {
    const page = currentPage();
    clearListeners();
    leavePage();
    document.getElementById("detail").hidden = true;
    document.title = `${page.title} - mbsbench`;
    content.replaceChildren(...(page.asked !== undefined ? [noSuchPage(page.asked)] : [page.page ?? renderPage(report, page),
      h("p", { class: "on-paper" }, `The page \u201c${page.title}\u201d of a report of ${report.pages.length} pages. Each page prints by itself.`)]));
    document.body.dataset.page = page.route;
    navigation.replaceChildren(...renderNavigation(report, page));
    navigation.classList.remove("open");
    // only the list itself may scroll
    const current = navigation.querySelector("a[aria-current]");
    if (current) side.scrollTop = Math.max(0, current.offsetTop - side.clientHeight / 2);
  }

  function toSection() {
    const section = document.getElementById(parameter("at") ?? "");
    for (let at = section?.querySelector(":scope > details") ?? section; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    section?.scrollIntoView();
  }

  function redrawInPlace() {
    const top = scrollY;
    drawPage();
    scrollTo(0, top);
  }

  let bar = null;
  function drawFilters() {
    const next = filterBar(report, redrawInPlace);
    if (!next) return;
    if (bar) bar.replaceWith(next);
    else content.before(next);
    bar = next;
  }

  // not by the address, which names pages
  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault();
    content.focus();
  });
  // before the charts, which need the room of an open section
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = [...document.querySelectorAll("details:is(.words, .folded):not([open])")];
    unfolded.forEach((folded) => { folded.open = true; });
    fitTables();
  });
  addEventListener("afterprint", () => unfolded.forEach((folded) => { folded.open = false; }));
  drawPage();
  drawFilters();
  toSection();
  onAddressChange((before) => {
    // links within a page name its filters alone: what the reader chose in tables and figures stays as it is
    const chosen = new Set([...FILTERS, ...address().parameters.keys()]);
    chosen.delete("at");
    const same = before.route === address().route && before.route !== "" &&
      [...chosen].every((name) => before.parameters.get(name) === parameter(name));
    if (!same) {
      drawPage();
      drawFilters();
      scrollTo(0, 0);
      document.getElementById("page").focus({ preventScroll: true });
    }
    toSection();
  });
  document.documentElement.dataset.ready = "yes";
}

drawReport();
