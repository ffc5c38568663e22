// Plays what cells recorded: one cell, and a second one laid over it.
import { h } from "../dom.js";
import { isShown } from "../filters.js";
import { onLeave } from "../leave.js";
import { parameter, setParameter } from "../router.js";
import { color, isDark, onThemeChange } from "../theme.js";
import { mechanismSvg } from "../paper_mechanism.js";
import { Mechanism, sweptBy } from "./mechanism.js";
import { Motion, readMotions } from "./motion.js";
import { Stage } from "./stage.js";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];
const FIRST_LASTS = 12;  // [s] at most what the first playing takes
const FACTORS = [1, 10, 100];  // differences of two cells are drawn so many times larger

const select = (label, options, value, onchange) => {
  const list = h("select", { onchange: () => onchange(Number(list.value)) }, options.map(([key, text]) =>
    h("option", { value: key, selected: key === value }, text)));
  return h("label", {}, `${label} `, list);
};

// The pose of the second cell with its distance from the first one enlarged.
const enlarged = (first, second, factor) => second.map((pose, b) => pose.map((value, i) =>
  (first[b] ? first[b][i] + factor * (value - first[b][i]) : value)));

export function player(figure) {
  const motions = readMotions(figure.data.motions);
  const shown = motions.cells.map((cell, i) => [i, cell]).filter(([, cell]) => isShown(cell));
  if (!shown.length) return h("p", { class: "nothing" }, "The filter hides every cell.");
  const known = (name, fallback) => (shown.some(([i]) => String(i) === parameter(name)) ? Number(parameter(name)) : fallback);
  const marked = shown.find(([, cell]) => cell.key && cell.key === parameter("mark")) ?? shown[0];
  const state = { a: known("cell", marked[0]), b: known("over", -1), time: Number(parameter("t") ?? 0), factor: 1, traces: true,
    playing: false };

  const place = h("div", { class: "stage", role: "img", "aria-label": `${figure.title}. ${figure.summary}` });
  // a canvas is blank on paper
  const paper = h("img", { class: "paper", alt: figure.title, src: `data:image/svg+xml,${encodeURIComponent(mechanismSvg({ motion: { ...motions, cells: [motions.cells[state.a]] } }))}` });
  const clock = h("output", {}), hint = h("p", { class: "source", role: "status" });
  let stage = null, first = null, second = null, frame = 0, before = 0;

  const colors = (overlay) => ({ body: overlay ? (isDark() ? "#ff8a3d" : "#d55e00") : (isDark() ? "#56b4e9" : "#0072b2"),
    joint: color("text-soft"), ground: color("text"), spring: isDark() ? "#f0e442" : "#009e73" });
  const end = () => Math.max(first.motion.end, second?.motion.end ?? 0);

  function show() {
    const poses = first.motion.at(state.time);
    first.show(state.time, poses, state.traces);
    if (second) {
      const same = second.motion.bodies.join() === first.motion.bodies.join();
      const own = second.motion.at(state.time);
      second.show(state.time, same && state.factor > 1 ? enlarged(poses, own, state.factor) : own, state.traces && state.factor === 1);
    }
    stage.render();
    slider.value = String(state.time);
    clock.value = `t = ${state.time.toFixed(3)} s of ${end().toFixed(3)} s`;
    place.dataset.time = String(state.time);
  }

  function build() {
    const swept = sweptBy(new Motion(motions, motions.cells[state.a]), motions.shapes);
    const least = 0.009 * swept.radius;
    if (!stage) {
      stage = new Stage(place, swept, motions.gravity, motions.planar);
      onLeave(() => stage.dispose());
    }
    for (const one of [first, second]) if (one) stage.remove(one.group);
    const make = (i, overlay) => new Mechanism(motions, new Motion(motions, motions.cells[i]), overlay ? 1.15 * least : least, colors(overlay), overlay);
    first = make(state.a, false);
    second = state.b >= 0 ? make(state.b, true) : null;
    for (const one of [first, second]) if (one) stage.scene.add(one.group);
    slider.max = String(end());
    slider.step = String(end() / 1000);
    state.time = Math.min(state.time, end());
    const stepped = [first, second].some((one) => one?.motion.isStepped);
    const beyond = first.motion.bodies.length - first.motion.framed().length;
    paths.disabled = stepped;
    paths.checked = state.traces && !stepped;
    difference?.classList.toggle("unused", !second);
    hint.textContent = (beyond ? `${beyond} of the recorded bodies are far away from the others, beyond this picture. ` : "") + (stepped ? "Bodies turn too far between two samples: the recorded samples follow one another without interpolation, and no paths can be drawn. " : "")
      + (second ? "Solid: the first cell; outline: the one laid over it." : "");
    show();
  }

  function tick(now) {
    if (!state.playing || !place.isConnected) return;
    state.time += speed * Math.min((now - before) / 1000, 0.1);
    before = now;
    if (state.time >= end()) {
      state.time = end();
      pause();
    }
    show();
    frame = requestAnimationFrame(tick);
  }
  function pause() {
    state.playing = false;
    cancelAnimationFrame(frame);
    button.textContent = "Play";
    setParameter("t", state.time.toFixed(3));
  }
  function play() {
    if (state.time >= end()) state.time = 0;
    state.playing = true;
    button.textContent = "Pause";
    before = performance.now();
    frame = requestAnimationFrame(tick);
  }

  const button = h("button", { type: "button", class: "play", onclick: () => (state.playing ? pause() : play()) }, "Play");
  const slider = h("input", { type: "range", min: 0, max: 1, step: 0.001, value: 0, "aria-label": "Time",
    oninput: () => { if (state.playing) pause(); state.time = Number(slider.value); show(); },
    onchange: () => setParameter("t", state.time.toFixed(3)) });
  let speed = SPEEDS.find((one) => motions.times.at(-1) / one <= FIRST_LASTS) ?? SPEEDS.at(-1);
  const named = ([i, cell]) => [i, `${cell.name} (error ${cell.error})`];
  const paths = h("input", { type: "checkbox", checked: true, onchange: () => { state.traces = paths.checked; show(); } });
  const difference = shown.length < 2 ? null : select("Difference of the overlay drawn", FACTORS.map((one) => [one, `${one} \u00d7`]), 1, (one) => { state.factor = one; show(); });
  const controls = h("div", { class: "player-controls" },
    h("div", { class: "row" }, button, slider, clock),
    shown.length < 2 ? null : h("div", { class: "row" },
      select("Motion of", shown.map(named), state.a, (i) => { state.a = i; setParameter("cell", String(i)); build(); }),
      select("Overlay", [[-1, "none"], ...shown.map(named)], state.b, (i) => { state.b = i; setParameter("over", i < 0 ? null : String(i)); build(); })),
    h("div", { class: "row" },
      select("Speed", SPEEDS.map((one) => [one, `${one} \u00d7`]), speed, (one) => { speed = one; }),
      difference,
      h("label", {}, paths, " paths of bodies"),
      h("button", { type: "button", onclick: () => stage.view() }, "Reset view")));

  new IntersectionObserver((changes, watcher) => {
    if (!changes.some((change) => change.isIntersecting)) return;
    watcher.disconnect();
    build();
    place.dataset.drawn = "yes";
  }, { rootMargin: "300px" }).observe(place);
  onThemeChange(() => stage && build());
  return h("div", { class: "player" }, place, paper, controls, hint);
}
