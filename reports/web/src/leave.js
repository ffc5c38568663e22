// What has to end when another page is shown: drawings that would hold memory and listen on.
const endings = new Set();

export const onLeave = (ending) => endings.add(ending);

export function leavePage() {
  for (const ending of endings) ending();
  endings.clear();
}
