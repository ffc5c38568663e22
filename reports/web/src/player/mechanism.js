// A mechanism as a three.js group: bodies as rods, boxes or spheres, joints as small marks, paths of bodies.
import { BoxGeometry, BufferGeometry, CylinderGeometry, EdgesGeometry, Group, Line, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, MeshLambertMaterial,
  Quaternion, SphereGeometry, Vector3 } from "three";

const vector = (list) => new Vector3(...list);
const UP = new Vector3(0, 1, 0);

function rod(a, b, radius, material) {
  const axis = b.clone().sub(a);
  const mesh = new Mesh(new CylinderGeometry(radius, radius, Math.max(axis.length(), 1e-9), 2 * radius > axis.length() ? 32 : 12), material);
  mesh.position.copy(a).addScaledVector(axis, 0.5);
  mesh.quaternion.setFromUnitVectors(UP, axis.normalize());
  return mesh;
}

function sphere(at, radius, material) {
  const mesh = new Mesh(new SphereGeometry(radius, 14, 10), material);
  mesh.position.copy(at);
  return mesh;
}

// Boxes, wheels and drums hide what they hold unless one sees through them.
const isWide = (shape) => shape.kind === "box" || (shape.kind === "rod" && 2 * (shape.radius ?? 0) > vector(shape.a).distanceTo(vector(shape.b)));

// `least` is the smallest radius that can be seen, in the units of the mechanism.
function bodyMesh(shape, least, material) {
  const radius = Math.max(shape.radius ?? 0, least);
  if (shape.kind === "rod") return rod(vector(shape.a), vector(shape.b), radius, material);
  if (shape.kind === "box") return new Mesh(new BoxGeometry(...shape.a.map((edge) => Math.max(edge, least))), material);
  return sphere(new Vector3(), shape.kind === "sphere" ? Math.max(radius, 1.6 * least) : 1.6 * least, material);
}

const thin = (a, b, material) => new Line(new BufferGeometry().setFromPoints([a, b]), material);

// A spring as a zigzag and a damper as a piston in its cup, side by side where one element is both: points (along, across) of its
// parts, along from 0 at one end to 1 at the other, across in widths.
const COILS = 7;
const zigzag = [[0, 0], [0.15, 0], ...Array.from({ length: 2 * COILS }, (_, i) => [0.15 + (0.7 * (i + 0.5)) / (2 * COILS), i % 2 ? -1 : 1]), [0.85, 0], [1, 0]];
const piston = [[[0, 0], [0.55, 0]], [[0.55, -0.6], [0.55, 0.6]], [[0.75, 0.8], [0.35, 0.8]], [[0.75, -0.8], [0.35, -0.8]], [[0.75, -0.8], [0.75, 0.8]], [[0.75, 0], [1, 0]]];
const pairs = (points) => points.slice(1).map((point, i) => [points[i], point]);
const shifted = (segments, by) => segments.map((ends) => ends.map(([along, across]) => [along, across + by]));
const tied = [[[0, -1.2], [0, 1.2]], [[1, -1.2], [1, 1.2]]];

function segmentsOf({ pulls, damps }) {
  if (pulls && damps) return [...tied, ...shifted(pairs(zigzag), 1.2), ...shifted(piston, -1.2)];
  return damps ? piston : pairs(zigzag);
}

export class Mechanism {
  constructor({ shapes, joints, springs }, motion, least, colors, isOutline) {
    this.motion = motion;
    this.group = new Group();
    const look = (color) => (isOutline ? new MeshBasicMaterial({ color, wireframe: true }) : new MeshLambertMaterial({ color }));
    const body = look(colors.body), wide = isOutline ? body : look(colors.body);
    if (!isOutline) Object.assign(wide, { transparent: true, opacity: 0.35, depthWrite: false });
    const mark = look(colors.joint), line = new LineBasicMaterial({ color: colors.joint });
    const trace = new LineBasicMaterial({ color: colors.body });
    const shapeOf = new Map((shapes ?? []).map((shape) => [shape.name, shape]));
    this.bodies = motion.bodies.map((name) => {
      const group = new Group();
      const shape = shapeOf.get(name) ?? { kind: "none" };
      const mesh = bodyMesh(shape, least, isWide(shape) ? wide : body);
      group.add(mesh);
      if (mesh.geometry.type === "BoxGeometry" && !isOutline) group.add(new LineSegments(new EdgesGeometry(mesh.geometry), line));
      this.group.add(group);
      return group;
    });
    const groupOf = (name) => this.bodies[motion.bodies.indexOf(name)];
    const addMark = (name, at) => {
      const group = groupOf(name);
      if (!group) return;
      group.add(sphere(vector(at), 1.5 * least, mark));
      // an arm from the mass centre where the shape does not reach the joint
      if (shapeOf.get(name)?.kind !== "rod") group.add(thin(new Vector3(), vector(at), line));
    };
    for (const joint of joints ?? []) {
      if (joint.kind === "free") continue;
      addMark(joint.child, joint.on_child);
      if (joint.parent !== null) addMark(joint.parent, joint.on_parent);
      else if (!isOutline) this.group.add(this.groundMark(joint, least, look(colors.ground)));
    }
    this.springs = (springs ?? []).filter((spring) => [spring.a, spring.b].every((name) => name === null || groupOf(name))).map((spring) => {
      const drawn = { from: groupOf(spring.a), to: groupOf(spring.b), onFrom: vector(spring.on_a), onTo: vector(spring.on_b),
        width: 2.2 * least, segments: segmentsOf(spring), lines: new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: colors.spring })) };
      this.group.add(drawn.lines);
      return drawn;
    });
    this.traces = motion.traced().map((b) => ({ body: b, line: new Line(new BufferGeometry(), trace) }));
    for (const one of this.traces) this.group.add(one.line);
  }

  groundMark(joint, least, material) {
    const mesh = new Mesh(new BoxGeometry(4 * least, 4 * least, 4 * least), material);
    mesh.position.copy(vector(joint.on_parent));
    return mesh;
  }

  // Between the points of two bodies, or of one and the ground, where they are now.
  drawSpring({ from, to, onFrom, onTo, width, segments, lines }) {
    const at = (group, point) => (group ? point.clone().applyQuaternion(group.quaternion).add(group.position) : point);
    const start = at(from, onFrom), axis = at(to, onTo).clone().sub(start);
    const along = axis.clone().normalize();
    // across the line, in the plane of the picture that a flat mechanism has
    const across = new Vector3(0, 0, 1).cross(along);
    if (across.length() < 0.1) across.set(1, 0, 0).cross(along);
    across.normalize().multiplyScalar(width);
    const points = segments.flat().map(([x, y]) => start.clone().addScaledVector(axis, x).addScaledVector(across, y));
    lines.geometry.dispose();
    lines.geometry = new BufferGeometry().setFromPoints(points);
  }

  // The whole path is computed once, and cut off where it has got to.
  pathTo(time, body) {
    this.paths ??= new Map();
    if (!this.paths.has(body)) this.paths.set(body, this.motion.path(body, this.motion.end));
    const whole = this.paths.get(body), steps = this.motion.times.length - 1;
    const k = this.motion.sampleAt(time), next = Math.min(k + 1, steps);
    const part = next === k ? 0 : (time - this.motion.times[k]) / (this.motion.times[next] - this.motion.times[k]);
    return whole.slice(0, Math.floor(((k + part) / steps) * (whole.length - 1)) + 1);
  }

  // `poses` of all bodies at a time; paths end there.
  show(time, poses, hasTraces) {
    poses.forEach((pose, b) => {
      this.bodies[b].position.set(pose[0], pose[1], pose[2]);
      this.bodies[b].quaternion.copy(new Quaternion(pose[4], pose[5], pose[6], pose[3]).normalize());
    });
    for (const spring of this.springs) this.drawSpring(spring);
    const { motion } = this, last = motion.sampleAt(time);
    for (const { body, line } of this.traces) {
      line.visible = hasTraces && last > 0 && !motion.isStepped;  // straight lines between far samples would be no paths
      if (!line.visible) continue;
      const points = this.pathTo(time, body).map(vector);
      points.push(vector(poses[body].slice(0, 3)));
      line.geometry.dispose();
      line.geometry = new BufferGeometry().setFromPoints(points);
    }
  }
}

// Points of a shape, in the axes of its body, that have to be in the picture.
function corners(shape) {
  if (shape?.kind === "rod") return [vector(shape.a), vector(shape.b)];
  const edges = shape?.kind === "box" ? shape.a : Array(3).fill(2 * (shape?.radius ?? 0));
  const signs = [-0.5, 0.5];
  return signs.flatMap((x) => signs.flatMap((y) => signs.map((z) => new Vector3(x * edges[0], y * edges[1], z * edges[2]))));
}

// What a motion sweeps: points, their middle and radius.
export function sweptBy(motion, shapes) {
  const shapeOf = new Map((shapes ?? []).map((shape) => [shape.name, shape]));
  const points = [], low = new Vector3(Infinity, Infinity, Infinity), high = new Vector3(-Infinity, -Infinity, -Infinity);
  for (const b of motion.framed()) {
    const ofBody = corners(shapeOf.get(motion.bodies[b]));
    for (let k = 0; k < motion.times.length; k += 1) {
      const [x, y, z, qw, qx, qy, qz] = motion.poses.subarray(k * motion.width + 7 * b, k * motion.width + 7 * b + 7);
      const attitude = new Quaternion(qx, qy, qz, qw).normalize();
      for (const corner of ofBody) points.push(corner.clone().applyQuaternion(attitude).add(new Vector3(x, y, z)));
    }
  }
  for (const point of points) {
    low.min(point);
    high.max(point);
  }
  return { points, center: low.clone().add(high).multiplyScalar(0.5), radius: Math.max(low.distanceTo(high) / 2, 1e-6) };
}
