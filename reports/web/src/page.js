// One page: its sections, at whatever level of the report they are.
import { h } from "./dom.js";
import { pageLink } from "./link.js";
import { renderOverview } from "./overview.js";
import { renderSection } from "./section.js";

function* all(sections) {
  for (const section of sections) {
    yield section;
    yield* all(section.sections);
  }
}

export const sectionsOf = (report, route) => [...all(report.sections)].filter((section) => section.page === route);

// The page of a section, for links that name a section alone.
export function pageOfSection(report, id) {
  const search = (sections, route) => {
    for (const section of sections) {
      const page = section.page || route;
      const found = section.id === id ? page : search(section.sections, page);
      if (found) return found;
    }
    return "";
  };
  return search(report.sections, "");
}

// Links to the previous and the next page with the same parent.
function neighbours(report, page) {
  if (!page.parent) return null;
  const parent = report.pages.find((one) => one.route === page.parent);
  const siblings = report.pages.filter((one) => one.parent === page.parent);
  const at = siblings.indexOf(page);
  return h("p", { class: "neighbours" },
    pageLink(parent.route, `All: ${parent.title}`),
    siblings[at - 1] ? pageLink(siblings[at - 1].route, `\u2190 ${siblings[at - 1].title}`) : null,
    siblings[at + 1] ? pageLink(siblings[at + 1].route, `${siblings[at + 1].title} \u2192`) : null);
}

export function renderPage(report, page) {
  const sections = sectionsOf(report, page.route);
  return h("div", { id: "page", tabindex: "-1" }, neighbours(report, page), sections.map((section) => (section.id === "overview" ? renderOverview(section) : renderSection(section, 2))));
}
