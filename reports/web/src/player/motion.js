// Recorded motions: 16-bit poses unpacked, and the pose at any time between two samples.
import { readPacked } from "../packed.js";

const parsed = new Map();

export function readMotions(id) {
  if (!parsed.has(id)) parsed.set(id, readPacked(id));
  return parsed.get(id);
}

const FULL = 32767;
const PARTS = 4;  // of a path between two samples
const STEPPED = 1.2;  // [rad] a turn between two samples from which nothing can be told of what lies between
const FAR = 2;  // characteristic times between two samples, in which bodies may turn unseen: whole turns leave no trace in attitudes

function unpack(text, extent) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 2 }, (_, i) => (view.getInt16(2 * i, true) / FULL) * (i % 7 < 3 ? extent : 1));
}

// Takes q or -q, which are the same attitude, whichever is nearer to the one before.
function alignSigns(poses, width) {
  for (let i = width; i < poses.length; i += 7) {
    let dot = 0;
    for (let k = 3; k < 7; k += 1) dot += poses[i + k] * poses[i + k - width];
    if (dot < 0) for (let k = 3; k < 7; k += 1) poses[i + k] = -poses[i + k];
  }
}

function largestTurn(poses, width) {
  let least = 1;
  for (let i = width; i < poses.length; i += 7) {
    let dot = 0;
    for (let k = 3; k < 7; k += 1) dot += poses[i + k] * poses[i + k - width];
    least = Math.min(least, Math.abs(dot));
  }
  return 2 * Math.acos(least);
}

export class Motion {
  constructor(motions, cell) {
    this.times = cell.times ?? motions.times;
    this.bodies = cell.bodies ?? motions.bodies;
    this.width = 7 * this.bodies.length;
    this.poses = unpack(cell.poses, cell.extent);
    alignSigns(this.poses, this.width);
    const longest = this.times.slice(1).reduce((most, time, k) => Math.max(most, time - this.times[k]), 0);
    this.isStepped = largestTurn(this.poses, this.width) > STEPPED || longest > FAR * (motions.characteristic_time ?? Infinity);
    this.end = this.times.at(-1);
  }

  // The last sample at or before a time.
  sampleAt(time) {
    let k = 0;
    while (k + 1 < this.times.length && this.times[k + 1] <= time) k += 1;
    return k;
  }

  // Slope of one number at a sample, from its neighbours.
  slope(k, i) {
    const before = Math.max(k - 1, 0), after = Math.min(k + 1, this.times.length - 1);
    return (this.poses[after * this.width + i] - this.poses[before * this.width + i]) / (this.times[after] - this.times[before]);
  }

  // Position and attitude of every body: cubics through the samples (Hermite's, slopes from the neighbours), so that turning rods
  // keep their lengths to the eye where straight lines between samples would shorten them.
  at(time) {
    const k = this.sampleAt(time), next = Math.min(k + 1, this.times.length - 1);
    const step = this.times[next] - this.times[k], s = next === k || this.isStepped ? 0 : (time - this.times[k]) / step;
    const value = (i) => {
      const from = this.poses[k * this.width + i];
      if (s === 0) return from;
      return from * (1 + 2 * s) * (1 - s) ** 2 + this.poses[next * this.width + i] * s * s * (3 - 2 * s)
        + step * (this.slope(k, i) * s * (1 - s) ** 2 - this.slope(next, i) * s * s * (1 - s));
    };
    return this.bodies.map((_, b) => Array.from({ length: 7 }, (_unused, i) => value(7 * b + i)));
  }

  // The bodies that a picture has to hold. Of a system of hundreds some at one end and a few at the other are recorded: then the
  // larger group, or the picture would show the gap between them.
  framed() {
    const at = this.bodies.map((_, b) => Array.from(this.poses.subarray(7 * b, 7 * b + 3)));
    const all = this.bodies.map((_, b) => b);
    const range = (k) => Math.max(...at.map((one) => one[k])) - Math.min(...at.map((one) => one[k]));
    const k = [0, 1, 2].reduce((a, b) => (range(b) > range(a) ? b : a));
    const sorted = [...all].sort((a, b) => at[a][k] - at[b][k]);
    const gaps = sorted.slice(1).map((b, i) => at[b][k] - at[sorted[i]][k]);
    const widest = gaps.indexOf(Math.max(...gaps));
    if (all.length < 6 || gaps[widest] < 0.6 * range(k)) return all;
    const [low, high] = [sorted.slice(0, widest + 1), sorted.slice(widest + 1)];
    return low.length >= high.length ? low : high;
  }

  // The bodies whose paths are drawn: all of a small mechanism, else the one that went farthest.
  traced() {
    if (this.bodies.length <= 4) return this.bodies.map((_, b) => b);
    const length = (b) => this.times.slice(1).reduce((sum, _, k) => {
      const i = k * this.width + 7 * b;
      return sum + Math.hypot(...[0, 1, 2].map((d) => this.poses[i + this.width + d] - this.poses[i + d]));
    }, 0);
    return [this.framed().reduce((a, b) => (length(b) > length(a) ? b : a))];
  }

  // Where a body has been until a time, close enough for its path to look smooth.
  path(body, time) {
    const points = [], parts = this.isStepped ? 1 : PARTS;
    for (let k = 0; k <= this.sampleAt(time); k += 1) {
      const next = Math.min(k + 1, this.times.length - 1);
      for (let part = 0; part < parts; part += 1) {
        const now = this.times[k] + (part / parts) * (this.times[next] - this.times[k]);
        if (now <= time) points.push(this.at(now)[body].slice(0, 3));
        if (next === k) break;
      }
    }
    return points;
  }
}
