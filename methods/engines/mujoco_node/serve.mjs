// MuJoCo in WebAssembly for mbsbench, which starts this file with a socket as descriptor 3.
//
// A request is two doubles in the byte order of the machine, what is asked for (an index into `answers`) and the number of
// bytes that follow, and these bytes: doubles, or for a model and a model file text. A reply has the same form; its first number is an entry of
// Reply. node_process.h has both lists.
import { readFileSync, readSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import load from "@mujoco/mujoco";

const CHANNEL = 3;
const Reply = { NUMBERS: 0, SENTENCE: 1, SINGULAR: 2, TEXT: 3 };

const mujoco = await load();
const BODY = mujoco.mjtObj.mjOBJ_BODY.value, FRAME = mujoco.mjtObj.mjOBJ_XBODY.value;
const { mjWARN_INERTIA, mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC } = mujoco.mjtWarning;
const FAULTS = [mjWARN_INERTIA, mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC].map((kind) => kind.value);
const six = new mujoco.DoubleBuffer(6);
let model, data, warnings, bodies = [];

// MuJoCo replaces singular matrices, and resets if a number is not finite; it counts both.
function isSound() {
  let count = 0;
  for (const fault of FAULTS) {
    const warning = warnings.get(fault);  // a copy, which the garbage collector does not know
    count += warning.number;
    warning.delete();
  }
  if (count > 0) mujoco.mj_resetData(model, data);
  return count === 0;
}

function setState(y) {
  data.qpos.set(y.subarray(0, model.nq));
  data.qvel.set(y.subarray(model.nq));
}

function forward(y) {
  setState(y);
  mujoco.mj_forwardSkip(model, data, 0, 1);
  return isSound();
}

// Name and text of each file; the first one includes the others. The reply: number, first qpos and first qvel of each body.
function compile(bytes) {
  data?.delete(), model?.delete();  // of a formulation that has ended; the warnings are part of the data
  bodies = [];
  const parts = new TextDecoder().decode(bytes).split("\0"), files = new mujoco.MjVFS();
  for (let i = 2; i < parts.length; i += 2) files.addBuffer(parts[i], new TextEncoder().encode(parts[i + 1]));
  model = mujoco.MjModel.from_xml_string(parts[1], files);
  files.delete();
  data = new mujoco.MjData(model);
  warnings = data.warning;
  const places = [];
  for (let body; (body = mujoco.mj_name2id(model, BODY, `b${bodies.length}`)) >= 0;) {
    bodies.push(body);
    const joint = model.body_jntadr[body];
    places.push(body, joint < 0 ? 0 : model.jnt_qposadr[joint], joint < 0 ? 0 : model.jnt_dofadr[joint]);
  }
  return places;
}

// The ends of a range are equal.
function setFreeLengths(lengths) {
  model.tendon_lengthspring.set(Array.from(lengths).flatMap((length) => [length, length]));
  return [];
}

function accelerations(y) {
  return forward(y) ? data.qacc : null;
}

// Of each body position, quaternion, angular velocity, velocity, angular acceleration and acceleration. MuJoCo's are relative to
// free fall, but zero for bodies that are fixed to the ground.
function observation(y) {
  if (!forward(y)) return null;
  mujoco.mj_rnePostConstraint(model, data);
  const { xpos, xquat } = data, { gravity } = model.opt, all = new Float64Array(19 * bodies.length);
  bodies.forEach((body, b) => {
    const mine = all.subarray(19 * b);
    mine.set(xpos.subarray(3 * body, 3 * body + 3));
    mine.set(xquat.subarray(4 * body, 4 * body + 4), 3);
    mujoco.mj_objectVelocity(model, data, FRAME, body, six, 0);
    mine.set(six.GetView(), 7);
    mujoco.mj_objectAcceleration(model, data, FRAME, body, six, 0);
    mine.set(six.GetView(), 13);
    if (model.body_weldid[body] > 0) for (let k = 0; k < 3; ++k) mine[16 + k] += gravity[k];
  });
  return all;
}

// From the time, the step and a state the state after the step.
function step([time, length, ...y]) {
  setState(Float64Array.from(y));
  data.time = time;
  model.opt.timestep = length;
  mujoco.mj_step(model, data);
  return isSound() ? [...data.qpos, ...data.qvel] : null;
}

// MuJoCo in WebAssembly sees files of its own, and asks for the status of each one that it opens: it gets a copy then.
function lendFiles() {
  const files = mujoco.FS, statusOf = files.stat;
  files.stat = (path, ...more) => {
    const isMine = statSync(path, { throwIfNoEntry: false })?.isFile();
    if (isMine && !files.analyzePath(path).exists) {
      files.mkdirTree(dirname(path));
      files.writeFile(path, readFileSync(path));
    }
    return statusOf(path, ...more);
  };
}

// What MuJoCo's compiler makes of a model file, where all coordinates are zero and free bodies are where the file puts them. In
// words, each followed by a NUL: "body", name, mass, mass centre and inertia; "joint", name, axis, damping and armature of hinges
// and slides. A damping that a servo adds to is NaN.
function reading(bytes) {
  lendFiles();
  const model = mujoco.MjModel.from_xml_path(new TextDecoder().decode(bytes)), data = new mujoco.MjData(model);
  const [free, ball] = [mujoco.mjtJoint.mjJNT_FREE.value, mujoco.mjtJoint.mjJNT_BALL.value];
  const start = model.nkey > 0 ? model.key_qpos : model.qpos0;
  data.qpos.fill(0);
  model.jnt_type.forEach((type, j) => {
    const at = model.jnt_qposadr[j];
    if (type === free) data.qpos.set(start.subarray(at, at + 7), at);
    if (type === ball) data.qpos[at] = 1;
  });
  mujoco.mj_kinematics(model, data);
  const names = Uint8Array.from(model.names);
  const nameAt = (at, unnamed) => new TextDecoder().decode(names.subarray(at, names.indexOf(0, at))) || unnamed;
  const triple = (from, i) => [...from.subarray(3 * i, 3 * i + 3)];
  const words = [];
  for (let b = 1; b < model.nbody; ++b) {
    const axes = data.ximat.subarray(9 * b, 9 * b + 9), moments = triple(model.body_inertia, b);
    const inertia = (i, k) => moments.reduce((sum, moment, p) => sum + axes[3 * i + p] * moment * axes[3 * k + p], 0);
    words.push("body", nameAt(model.name_bodyadr[b], `body_${b}`), model.body_mass[b], ...triple(data.xipos, b),
               inertia(0, 0), inertia(0, 1), inertia(0, 2), inertia(1, 1), inertia(1, 2), inertia(2, 2));
  }
  const isDampedByServo = (j) => model.actuator_trntype.some((type, a) =>
    type === mujoco.mjtTrn.mjTRN_JOINT.value && model.actuator_trnid[2 * a] === j &&
    (model.actuator_biasprm[mujoco.mjNBIAS * a + 2] !== 0 || model.actuator_gainprm[mujoco.mjNGAIN * a + 2] !== 0));
  model.jnt_type.forEach((type, j) => {
    if (type === free || type === ball) return;
    const dof = model.jnt_dofadr[j];
    words.push("joint", nameAt(model.name_jntadr[j], `joint_${j}`), ...triple(data.xaxis, j),
               isDampedByServo(j) ? NaN : model.dof_damping[dof], model.dof_armature[dof]);
  });
  return words.map((word) => `${word}\0`).join("");
}

const answers = [compile, setFreeLengths, accelerations, observation, step, reading];

function receive(bytes) {
  for (let n = 0; n < bytes.length;) {
    const more = readSync(CHANNEL, bytes, n, bytes.length - n, null);
    if (more === 0) process.exit();
    n += more;
  }
  return bytes;
}

function send(bytes) {
  for (let n = 0; n < bytes.length;) n += writeSync(CHANNEL, bytes, n);
}

function reply(kind, bytes) {
  send(new Uint8Array(Float64Array.of(kind, bytes.length).buffer));
  send(bytes);
}

for (;;) {
  const [request, size] = new Float64Array(receive(new Uint8Array(16)).buffer);
  const bytes = receive(new Uint8Array(size));
  try {
    const isText = [compile, reading].includes(answers[request]);
    const answer = answers[request](isText ? bytes : new Float64Array(bytes.buffer));
    if (answer === null)
      reply(Reply.SINGULAR, new Uint8Array());
    else if (typeof answer === "string")
      reply(Reply.TEXT, new TextEncoder().encode(answer));
    else
      reply(Reply.NUMBERS, new Uint8Array(Float64Array.from(answer).buffer));
  } catch (error) {
    if (!String(error.message).startsWith("MuJoCo Error")) throw error;  // whatever it leaves behind
    reply(Reply.SENTENCE, new TextEncoder().encode(error.message.replace(/\s+/g, " ").trim()));
  }
}
