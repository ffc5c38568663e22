// The list of sections at the side, with the one in view marked.
import { h } from "./dom.js";

function entries(sections, links) {
  return h("ul", {}, sections.map((section) => {
    const link = h("a", { href: `#${section.id}` }, section.title);
    links.set(section.id, link);
    return h("li", {}, link, section.sections.length ? entries(section.sections, links) : null);
  }));
}

export function navigation(sections, content) {
  const links = new Map();
  const list = entries(sections, links);
  const watcher = new IntersectionObserver((changes) => {
    for (const change of changes) {
      if (!change.isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(change.target.parentElement.id)?.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "0px 0px -80% 0px" });
  for (const heading of content.querySelectorAll("section > h2, section > h3")) watcher.observe(heading);
  return list;
}
