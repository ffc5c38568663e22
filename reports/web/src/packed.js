// What the page holds as text: JSON, compressed by zlib, in base64.
import { strFromU8, unzlibSync } from "fflate";

// The data of an element of the page; null where there is none.
export function readPacked(id) {
  const element = document.getElementById(id);
  if (!element) return null;
  return JSON.parse(strFromU8(unzlibSync(Uint8Array.from(atob(element.textContent), (byte) => byte.charCodeAt(0)))));
}
