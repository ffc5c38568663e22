// The address holds the page and its state: "#/scaling?at=scaling-branchN&methods=kane-huston". The reader's choices are
// written back into it, so that a link shows the same to another reader.
export const FILTERS = ["methods", "integrators", "kinds"];  // carried from page to page

// An address typed by hand may contain a "%" that encodes nothing.
function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

function parse(hash) {
  const [path, query = ""] = hash.replace(/^#/, "").split("?");
  const isRoute = path.startsWith("/"), asked = decoded(isRoute ? path.slice(1) : path);
  // Names of problems and methods may be written as on the command line: "problem/rocket:links=4".
  const name = isRoute ? asked.replace(/[:=,]/g, "-") : asked;
  return { route: isRoute ? name : "", anchor: isRoute ? "" : name,
    parameters: new URLSearchParams(query) };
}

let current = parse(typeof location === "undefined" ? "" : location.hash);

// Commas, colons, semicolons and slashes are allowed in a fragment, and easier to read unescaped.
const query = (parameters) =>
  String(parameters).replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%3B", ";").replaceAll("%2F", "/");
const hashOf = (route, parameters) => `#/${route}${parameters.size ? `?${query(parameters)}` : ""}`;

export const address = () => current;
export const parameter = (name) => current.parameters.get(name);

// The name of a table or figure in parameters: its file, which others on the page may share, and its title.
export const blockId = (csv, title) =>
  [csv.replace(/\.csv$/, ""), title].filter((part) => part).join(".").replace(/[^A-Za-z0-9._-]+/g, "-");

// Null or an empty text removes the parameter.
export function setParameter(name, value) {
  if (value === null || value === "") current.parameters.delete(name);
  else current.parameters.set(name, value);
  history.replaceState(null, "", hashOf(current.route, current.parameters));
  for (const link of document.querySelectorAll("a[data-route]")) link.href = hrefOf(link.dataset.route, link.dataset.at, new URLSearchParams(link.dataset.chosen));
}

// The address of a page, with the current filters.
export function hrefOf(route, at = "", chosen = {}) {
  const parameters = new URLSearchParams(chosen);
  for (const name of FILTERS) if (parameter(name)) parameters.set(name, parameter(name));
  if (at) parameters.set("at", at);
  return hashOf(route, parameters);
}

// Corrects an address that names no page, without an entry in the history.
export function replaceAddress(route, parameters) {
  current = { route, anchor: "", parameters: new URLSearchParams(parameters) };
  history.replaceState(null, "", hashOf(route, current.parameters));
}

// Like a click on a link.
export function goTo(route) {
  location.hash = hrefOf(route);
}

export function onAddressChange(listener) {
  addEventListener("hashchange", () => {
    const before = current;
    current = parse(location.hash);
    listener(before);
  });
}
