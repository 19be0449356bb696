// Vectors are arrays of three numbers, matrices are column by column, as WebGL takes them.

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => scale(a, 1 / Math.hypot(...a));
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
/** From 0 to 1 with a soft start and a soft end. */
const ease = (t) => t * t * (3 - 2 * t);

/** A rotation given by rows, applied to a vector, and undone. */
const turned = (r, v) => [0, 3, 6].map((k) => r[k] * v[0] + r[k + 1] * v[1] + r[k + 2] * v[2]);
const turnedBack = (r, v) => [0, 1, 2].map((k) => r[k] * v[0] + r[k + 3] * v[1] + r[k + 6] * v[2]);

/** The product of two 4 x 4 matrices. */
function multiply(a, b) {
  const out = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      for (let k = 0; k < 4; k++) out[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    }
  }
  return out;
}

function perspective(verticalAngle, aspect, near, far) {
  const f = 1 / Math.tan(verticalAngle / 2), depth = near - far;
  return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / depth, -1, 0, 0, 2 * far * near / depth, 0]);
}

/** A cube of this half side around the eye becomes the cube that is drawn. */
function orthographic(half, near, far) {
  const depth = near - far;
  return new Float32Array([1 / half, 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, 2 / depth, 0, 0, 0, (far + near) / depth, 1]);
}

/** The world as seen from `eye`, looking against `back`. */
function viewFrom(eye, back, up) {
  const right = cross(up, back);
  return new Float32Array([
    right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
  ]);
}
