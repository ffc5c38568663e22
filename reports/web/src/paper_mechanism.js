// A mechanism as an SVG text: where it starts, where it ends, and the paths of its bodies, seen as the player shows it at first.
import { Matrix4, Quaternion, Vector3 } from "three";
import { Motion } from "./player/motion.js";
import { svgText } from "./svg_text.js";

const WIDTH = 640, HEIGHT = 480, MARGIN = 24;
const START = "#0072b2", END = "#8a939c", JOINT = "#1b1f24";
const EDGES = [[0, 1], [0, 2], [0, 4], [1, 3], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 6], [5, 7], [6, 7]];

const vector = (list) => new Vector3(...list);

// To the right and up of the picture; gravity points down in it.
function axes(gravity, isPlanar) {
  const up = gravity && Math.hypot(...gravity) > 0 ? vector(gravity).normalize().negate() : new Vector3(0, 1, 0);
  const normal = new Vector3(0, 0, 1);
  if (Math.abs(up.dot(normal)) > 0.9) normal.set(0, -1, 0);
  const side = new Vector3().crossVectors(up, normal);
  const towards = normal.clone().multiplyScalar(3.5);
  if (!isPlanar) towards.addScaledVector(side, 1.6).addScaledVector(up, 1.1);
  const right = new Vector3().crossVectors(up, towards).normalize();
  return { right, up: new Vector3().crossVectors(towards, right).normalize() };
}

// Lines (pairs of points) and dots of a body in its own axes.
function outline(shape) {
  if (shape?.kind === "rod") return { lines: [[vector(shape.a), vector(shape.b)]], dots: [] };
  if (shape?.kind === "box") {
    const corners = Array.from({ length: 8 }, (_, i) => new Vector3(...shape.a.map((edge, k) => ((i >> k) & 1 ? edge / 2 : -edge / 2))));
    return { lines: EDGES.map(([i, k]) => [corners[i], corners[k]]), dots: [] };
  }
  return { lines: [], dots: [new Vector3()] };
}

export function mechanismSvg(figure) {
  const { data, motion: recorded } = figure;
  if (!recorded) return "";
  const motion = new Motion(recorded, recorded.cells[0]);
  const { right, up } = axes(data.gravity, data.planar);
  const flat = (point) => [point.dot(right), point.dot(up)];
  const shapeOf = new Map((data.shapes ?? []).map((shape) => [shape.name, shape]));
  const placed = (pose) => {
    const matrix = new Matrix4().compose(vector(pose.slice(0, 3)), new Quaternion(pose[4], pose[5], pose[6], pose[3]).normalize(), new Vector3(1, 1, 1));
    return (point) => flat(point.clone().applyMatrix4(matrix));
  };
  const poseAt = (time) => {
    const poses = motion.at(time), lines = [], dots = [], joints = [], ground = [];
    for (const b of framed) {
      const name = motion.bodies[b], to = placed(poses[b]), shape = outline(shapeOf.get(name));
      lines.push(...shape.lines.map((line) => line.map(to)));
      dots.push(...shape.dots.map(to));
      for (const joint of data.joints ?? []) {
        if (joint.kind === "free") continue;
        const at = joint.child === name ? joint.on_child : joint.parent === name ? joint.on_parent : null;
        if (!at) continue;
        joints.push(to(vector(at)));
        if (shapeOf.get(name)?.kind !== "rod") lines.push([to(new Vector3()), to(vector(at))]);
      }
    }
    const isFramed = (name) => framed.some((b) => motion.bodies[b] === name);
    for (const joint of data.joints ?? []) if (joint.parent === null && joint.kind !== "free" && isFramed(joint.child)) ground.push(flat(vector(joint.on_parent)));
    return { lines, dots, joints, ground };
  };
  const traced = motion.isStepped ? [] : motion.traced(), framed = motion.framed();
  const paths = traced.map((b) => motion.path(b, motion.end).map((point) => flat(vector(point))));
  const start = poseAt(motion.times[0]), end = poseAt(motion.end);

  const points = [...paths.flat(), ...[start, end].flatMap((one) => [...one.lines.flat(), ...one.dots, ...one.joints, ...one.ground])];
  const least = [0, 1].map((k) => points.reduce((a, p) => Math.min(a, p[k]), Infinity));
  const most = [0, 1].map((k) => points.reduce((a, p) => Math.max(a, p[k]), -Infinity));
  const scale = Math.min((WIDTH - 2 * MARGIN) / (most[0] - least[0] || 1), (HEIGHT - 3 * MARGIN) / (most[1] - least[1] || 1));
  const to = ([x, y]) => [WIDTH / 2 + scale * (x - (least[0] + most[0]) / 2), (HEIGHT - MARGIN) / 2 - scale * (y - (least[1] + most[1]) / 2)];
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
