// A small drawing of a mechanism at the first sample of a motion, in the colours of the text around it.
import { h, svg } from "./dom.js";
import { fitted, flatMechanism, pointsOf } from "./flat_mechanism.js";
import { Motion, readMotions } from "./player/motion.js";

const WIDTH = 72, HEIGHT = 52, MARGIN = 5;

function drawn(recorded) {
  const motion = new Motion(recorded, recorded.cells[0]), pose = flatMechanism(recorded, motion).at(motion.times[0]);
  const place = fitted(pointsOf(pose), WIDTH, HEIGHT, MARGIN), to = (point) => place(point).map((one) => Number(one.toFixed(1)));
  const square = (at) => { const [x, y] = to(at); return svg("rect", { class: "ground", x: x - 2.5, y: y - 2.5, width: 5, height: 5 }); };
  const dot = (name, r) => (at) => { const [cx, cy] = to(at); return svg("circle", { class: name, cx, cy, r }); };
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, "aria-hidden": "true" },
    svg("path", { class: "body", d: pose.lines.map(([a, b]) => `M${to(a).join(" ")}L${to(b).join(" ")}`).join("") }),
    pose.dots.map(dot("body", 3)), pose.ground.map(square), pose.joints.map(dot("joint", 1.2)));
}

// Drawn when it is scrolled to: a report holds dozens. Nothing where no motion of this id was recorded.
export function picture(id) {
  const element = `motions-${id}`;
  if (!document.getElementById(element)) return null;
  const place = h("span", { class: "picture" });
  const draw = () => place.childNodes.length || place.append(drawn(readMotions(element)));
  const watcher = new IntersectionObserver((changes) => {
    if (!changes.some((change) => change.isIntersecting)) return;
    watcher.disconnect();
    draw();
  }, { rootMargin: "300px" });
  watcher.observe(place);
  addEventListener("beforeprint", draw, { once: true });
  return place;
}
