// A mechanism in a plane: what its bodies, joints and marks of the ground look like at a time, seen as the player shows it at first.
import { Matrix4, Quaternion, Vector3 } from "three";

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

// `recorded` as the report holds it, `motion` one of its cells. Points are [right, up] in metres.
export function flatMechanism(recorded, motion) {
  const { right, up } = axes(recorded.gravity, recorded.planar);
  const flat = (point) => [point.dot(right), point.dot(up)];
  const shapeOf = new Map((recorded.shapes ?? []).map((shape) => [shape.name, shape]));
  const framed = motion.framed(), isFramed = (name) => framed.some((b) => motion.bodies[b] === name);
  const placed = (pose) => {
    const matrix = new Matrix4().compose(vector(pose.slice(0, 3)), new Quaternion(pose[4], pose[5], pose[6], pose[3]).normalize(), new Vector3(1, 1, 1));
    return (point) => flat(point.clone().applyMatrix4(matrix));
  };
  const at = (time) => {
    const poses = motion.at(time), lines = [], dots = [], joints = [], ground = [];
    for (const b of framed) {
      const name = motion.bodies[b], to = placed(poses[b]), shape = outline(shapeOf.get(name));
      lines.push(...shape.lines.map((line) => line.map(to)));
      dots.push(...shape.dots.map(to));
      for (const joint of recorded.joints ?? []) {
        if (joint.kind === "free") continue;
        const point = joint.child === name ? joint.on_child : joint.parent === name ? joint.on_parent : null;
        if (!point) continue;
        joints.push(to(vector(point)));
        if (shapeOf.get(name)?.kind !== "rod") lines.push([to(new Vector3()), to(vector(point))]);
      }
    }
    for (const joint of recorded.joints ?? []) if (joint.parent === null && joint.kind !== "free" && isFramed(joint.child)) ground.push(flat(vector(joint.on_parent)));
    return { lines, dots, joints, ground };
  };
  const path = (body) => motion.path(body, motion.end).map((point) => flat(vector(point)));
  return { at, path };
}

// [x, y] in a picture of this size, such that all of these points lie within its margin.
export function fitted(points, width, height, margin) {
  const end = (k, pick) => points.reduce((best, point) => pick(best, point[k]), pick === Math.min ? Infinity : -Infinity);
  const least = [0, 1].map((k) => end(k, Math.min)), most = [0, 1].map((k) => end(k, Math.max));
  const scale = Math.min((width - 2 * margin) / (most[0] - least[0] || 1), (height - 2 * margin) / (most[1] - least[1] || 1));
  return ([x, y]) => [width / 2 + scale * (x - (least[0] + most[0]) / 2), height / 2 - scale * (y - (least[1] + most[1]) / 2)];
}

export const pointsOf = ({ lines, dots, joints, ground }) => [...lines.flat(), ...dots, ...joints, ...ground];
