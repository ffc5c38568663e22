// The list of pages at the side. The current page lists its sections, or the pages below it.
import { h } from "./dom.js";
import { pageLink } from "./link.js";
import { sectionsOf } from "./page.js";

// A name without room breaks between its options.
const nameLink = (child, current) => pageLink(child.route, child.title.split(/(?<=[:,])/).flatMap((part) => [part, h("wbr")]), "",
  { "aria-current": child.route === current.route ? "page" : null });

// The first section has the name of the page.
function contents(report, page) {
  const titles = (section) => [section, ...section.sections.filter((inner) => !inner.page)];
  return sectionsOf(report, page.route).flatMap(titles).slice(1).map((section) =>
    h("li", {}, pageLink(page.route, section.title, section.id)));
}

export function renderNavigation(report, current) {
  const top = report.pages.filter((page) => !page.parent);
  const open = current.parent || current.route;
  // on a narrow screen the list opens on demand
  const button = h("button", { type: "button", "aria-expanded": "false", onclick: () =>
    button.setAttribute("aria-expanded", String(button.parentElement.classList.toggle("open"))) }, `Pages: ${current.title} \u25be`);
  return [button, h("ul", {}, top.map((page) => {
    const children = report.pages.filter((one) => one.parent === page.route);
    const isCurrent = page.route === current.route;
    const link = pageLink(page.route, page.title, "", { "aria-current": isCurrent ? "page" : null });
    if (page.route !== open) return h("li", {}, link);
    const inner = children.length
      ? children.map((child) => h("li", {}, nameLink(child, current)))
      : contents(report, page);
    return h("li", {}, link, inner.length ? h("ul", {}, inner) : null);
  }))];
}
