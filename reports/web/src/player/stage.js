// Camera, light and renderer. WebGL where there is some; else the same scene as SVG, which every browser has.
import { AmbientLight, DirectionalLight, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { SVGRenderer } from "three/examples/jsm/renderers/SVGRenderer.js";

let shared = null;  // browsers hold few WebGL contexts: one for all pages

function renderer() {
  if (shared) return shared;
  const canvas = document.createElement("canvas");
  if (canvas.getContext("webgl2")) {
    shared = new WebGLRenderer({ canvas: document.createElement("canvas"), antialias: true, alpha: true });
    shared.setPixelRatio(Math.min(devicePixelRatio, 2));
    shared.setClearAlpha(0);
  } else {
    shared = new SVGRenderer();
    shared.setQuality("low");
  }
  return shared;
}

// Meshes and looks that are not drawn again leave the memory of the graphics card.
function release(object) {
  object.traverse((one) => {
    one.geometry?.dispose();
    one.material?.dispose();
  });
}

let shown = null;  // the canvas being shared, a drag on it would turn every stage that still listens

export class Stage {
  constructor(place, { points, center, radius }, gravity, isPlanar) {
    shown?.dispose();
    shown = this;
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(30, 1, radius / 100, radius * 100);
    this.renderer = renderer();
    place.append(this.renderer.domElement);
    const sun = new DirectionalLight(0xffffff, 2.2);
    sun.position.set(-0.6, 1, 0.8);  // over the left shoulder, so that faces differ
    this.camera.add(sun);
    this.scene.add(new AmbientLight(0xffffff, 1.6), this.camera);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener("change", () => this.render());

    // gravity points down; a plane motion is seen along its normal z
    const up = gravity && Math.hypot(...gravity) > 0 ? new Vector3(...gravity).normalize().negate() : new Vector3(0, 1, 0);
    const normal = new Vector3(0, 0, 1);
    if (Math.abs(up.dot(normal)) > 0.9) normal.set(0, -1, 0);
    const side = new Vector3().crossVectors(up, normal);
    const towards = normal.clone();  // from the mechanism to the eye
    if (!isPlanar) towards.addScaledVector(side, 0.41).addScaledVector(up, 0.28);
    this.view = () => {
      this.camera.up.copy(up);
      this.camera.position.copy(center).addScaledVector(towards.normalize(), this.distanceToHold(points, center, towards, up, radius));
      this.controls.target.copy(center);
      this.controls.update();
      this.render();
    };
    const resize = () => {
      if (!place.clientWidth) return;
      this.camera.aspect = place.clientWidth / place.clientHeight;
      this.camera.updateProjectionMatrix();
      this.renderer.setSize(place.clientWidth, place.clientHeight);
      this.render();
    };
    this.sizes = new ResizeObserver(resize);
    this.sizes.observe(place);
    resize();
    this.view();
  }

  // From where all points are in the picture, with some room around.
  distanceToHold(points, center, towards, up, radius) {
    const right = new Vector3().crossVectors(up, towards).normalize(), high = new Vector3().crossVectors(towards, right);
    const slope = Math.tan((this.camera.fov * Math.PI) / 360), room = 1.12;
    return points.reduce((most, point) => {
      const at = point.clone().sub(center), across = Math.abs(at.dot(right)) / this.camera.aspect;
      return Math.max(most, at.dot(towards) + (room * Math.max(across, Math.abs(at.dot(high)))) / slope);
    }, 0.3 * radius);
  }

  render() {
    this.renderer.render(this.scene, this.camera);
  }

  remove(group) {
    this.scene.remove(group);
    release(group);
  }

  dispose() {
    this.sizes.disconnect();
    this.controls.dispose();
    release(this.scene);
  }
}
