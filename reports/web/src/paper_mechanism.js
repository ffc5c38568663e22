// A mechanism as an SVG text: where it starts, where it ends, and the paths of its bodies.
import { fitted, flatMechanism, pointsOf } from "./flat_mechanism.js";
import { Motion } from "./player/motion.js";
import { svgText } from "./svg_text.js";

const WIDTH = 640, HEIGHT = 480, MARGIN = 24;
const START = "#0072b2", END = "#8a939c", JOINT = "#1b1f24";

export function mechanismSvg({ motion: recorded }) {
  if (!recorded) return "";
  const motion = new Motion(recorded, recorded.cells[0]), mechanism = flatMechanism(recorded, motion);
  const paths = (motion.isStepped ? [] : motion.traced()).map(mechanism.path);
  const start = mechanism.at(motion.times[0]), end = mechanism.at(motion.end);
  const to = fitted([...paths.flat(), ...pointsOf(start), ...pointsOf(end)], WIDTH, HEIGHT - MARGIN, MARGIN);
  const text = (point) => to(point).map((one) => one.toFixed(1)).join(" ");
  const draw = ({ lines, dots, joints }, color, wide) => [
    ...lines.map(([a, b]) => `<path d="M${text(a)}L${text(b)}" stroke="${color}" stroke-width="${wide}" stroke-linecap="round"/>`),
    ...dots.map((at) => { const [x, y] = to(at); return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${wide + 1}" fill="${color}"/>`; }),
    ...joints.map((at) => { const [x, y] = to(at); return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="2.2" fill="${JOINT}"/>`; })].join("");
  const ground = start.ground.map((at) => { const [x, y] = to(at); return `<rect x="${(x - 5).toFixed(1)}" y="${(y - 5).toFixed(1)}" width="10" height="10" fill="${JOINT}"/>`; });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}"><rect width="100%" height="100%" fill="#ffffff"/>`
    + paths.map((path) => `<path d="M${path.map(text).join("L")}" fill="none" stroke="${START}" stroke-width="0.8" stroke-dasharray="3 2"/>`).join("")
    + draw(end, END, 2) + draw(start, START, 4) + ground.join("")
    + svgText(MARGIN, HEIGHT - 10, `blue: at the start; grey: after ${motion.end.toPrecision(4)} s${motion.isStepped ? "" : "; dashed: paths"}`)
    + "</svg>";
}
