// A box in which what is too wide scrolls sideways. Its right edge fades while there is more to scroll to; CSS alone cannot tell.
import { h } from "./dom.js";

export function scrollBox(attributes, wide) {
  const box = h("div", { class: "scroll", tabindex: "0", role: "region", ...attributes }, wide);
  const frame = h("div", { class: "scroll-frame" }, box);
  const update = () => frame.classList.toggle("more", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
  box.addEventListener("scroll", update);
  const sizes = new ResizeObserver(update);
  sizes.observe(box);
  sizes.observe(wide);
  return frame;
}
