// A page that fails says so on the page.
export function showErrors() {
  const box = document.getElementById("errors");
  const show = (message) => {
    box.hidden = false;
    box.append(`This page could not be drawn completely: ${message}. report.md in the same folder holds the same numbers. `);
    document.documentElement.dataset.failed = "yes";
  };
  addEventListener("error", (event) => show(event.message));
  addEventListener("unhandledrejection", (event) => show(String(event.reason)));
}
