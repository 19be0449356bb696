// A camera on a sphere around the puzzle, upright; angles in degrees. What is asked for is reached in a short glide.

const HOME = { azimuth: 36 + 90 * puzzle.corner, elevation: 27 };
/** Named after the side that is seen. */
const VIEWS = {
  front: [0, 0], back: [180, 0], left: [-90, 0], right: [90, 0], top: [0, 90], bottom: [0, -90],
};
const FIELD = 28 * Math.PI / 180;
const still = matchMedia('(prefers-reduced-motion: reduce)');

const camera = {
  azimuth: HOME.azimuth, elevation: HOME.elevation, zoom: 1, pan: [0, 0, 0],
  wanted: { azimuth: HOME.azimuth, elevation: HOME.elevation, zoom: 1, pan: [0, 0, 0] },
  /** Of what is to be seen, in millimetres. */
  radius: 1, middle: [0, 0, 0], aspect: 1,

  turn(right, up) {
    this.wanted.azimuth -= right;
    this.wanted.elevation = clamp(this.wanted.elevation + up, -90, 90);
  },
  look([azimuth, elevation]) {
    // The short way round.
    this.wanted.azimuth += ((azimuth - this.wanted.azimuth) % 360 + 540) % 360 - 180;
    this.wanted.elevation = elevation;
  },
  /** Keeps what is under the pointer there; its place runs from -1 to 1. */
  zoomBy(factor, [x, y] = [0, 0]) {
    const before = this.wanted.zoom;
    this.wanted.zoom = clamp(before * factor, 0.2, 12);
    const half = this.distance(before) * Math.tan(FIELD / 2), gained = 1 - before / this.wanted.zoom;
    this.move(x * half * this.aspect * gained, y * half * gained);
  },
  /** Moves the point that is looked at, in millimetres to the right and up as it is seen. */
  move(right, up) {
    const { x, y } = this.axes();
    const pan = add(this.wanted.pan, add(scale(x, right), scale(y, up)));
    this.wanted.pan = scale(pan, Math.min(1, 3 * this.radius / Math.hypot(...pan)) || 0);
  },
  fit() {
    Object.assign(this.wanted, { zoom: 1, pan: [0, 0, 0] });
  },
  home() {
    this.fit();
    this.look([HOME.azimuth, HOME.elevation]);
  },
  /** One frame nearer to what is wanted; whether there is more to go. */
  glide(seconds) {
    const share = still.matches ? 1 : 1 - Math.exp(-14 * seconds);
    let rest = 0;
    const near = (from, to, unitOfIt) => {
      const gap = to - from;
      rest = Math.max(rest, Math.abs(gap) / unitOfIt);
      return Math.abs(gap) / unitOfIt < 1e-3 ? to : from + gap * share;
    };
    this.azimuth = near(this.azimuth, this.wanted.azimuth, 10);
    this.elevation = near(this.elevation, this.wanted.elevation, 10);
    this.zoom = near(this.zoom, this.wanted.zoom, this.wanted.zoom);
    this.pan = this.pan.map((value, k) => near(value, this.wanted.pan[k], this.radius));
    return rest >= 1e-3;
  },
  distance(zoom = this.zoom) {
    // The narrower of the two angles has to hold the sphere.
    const half = Math.atan(Math.tan(FIELD / 2) * Math.min(1, this.aspect));
    return 1.04 * this.radius / Math.sin(half) / zoom;
  },
  /** Right, up and towards the eye. */
  axes() {
    const [a, e] = [this.azimuth, this.elevation].map((angle) => angle * Math.PI / 180);
    return {
      x: [Math.cos(a), Math.sin(a), 0],
      y: [-Math.sin(e) * Math.sin(a), Math.sin(e) * Math.cos(a), Math.cos(e)],
      z: [Math.cos(e) * Math.sin(a), -Math.cos(e) * Math.cos(a), Math.sin(e)],
    };
  },
  eye() {
    return add(add(this.middle, this.pan), scale(this.axes().z, this.distance()));
  },
  matrix() {
    const { y, z } = this.axes(), distance = this.distance();
    const near = Math.max(distance - 4 * this.radius, distance * 0.02), far = distance + 9 * this.radius;
    return multiply(perspective(FIELD, this.aspect, near, far), viewFrom(this.eye(), z, y));
  },
  /** The direction in which a place on the canvas is seen; it runs from -1 to 1. */
  ray([x, y]) {
    const axes = this.axes(), half = Math.tan(FIELD / 2);
    return unit(add(add(scale(axes.x, x * half * this.aspect), scale(axes.y, y * half)), scale(axes.z, -1)));
  },
};
