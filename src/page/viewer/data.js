// The puzzle as the program wrote it into this page.

const puzzle = JSON.parse(document.getElementById('data').textContent);

/** Left, right, front, back, bottom, top: the order of the program. */
const SIDES = ['left', 'right', 'front', 'back', 'bottom', 'top'];
const STEPS = [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]];
const sideOf = (step) => STEPS.findIndex((other) => dot(other, step) > 0.5);

function bytes(base64) {
  const text = atob(base64), out = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) out[k] = text.charCodeAt(k);
  return out;
}

/** Vertices in millimetres, corners of triangles, and which of them have which colour. */
function meshOf({ mesh }) {
  const steps = new Uint16Array(bytes(mesh.vertices).buffer), vertices = new Float32Array(steps.length);
  for (let k = 0; k < steps.length; k++) vertices[k] = mesh.origin[k % 3] + mesh.step * steps[k];
  const { buffer } = bytes(mesh.corners);
  const corners = mesh.width === 2 ? new Uint16Array(buffer) : new Uint32Array(buffer);
  let first = 0;
  const parts = mesh.parts.map(([colour, triangles]) => {
    const part = { colour: linear(colour), first: first * mesh.width, count: 3 * triangles };
    first += part.count;
    return part;
  });
  return { vertices, corners, parts };
}

/** `#RRGGBB` as shares of light. */
function linear(colour) {
  return [1, 3, 5].map((at) => {
    const c = parseInt(colour.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
}

const mean = (points) => scale(points.reduce(add), 1 / points.length);

/** The pieces of a solution where they belong, in cells. */
function instancesOf(solution) {
  const numbers = puzzle.solutions[solution], instances = [];
  for (let k = 0; k < numbers.length; k += 5) {
    const piece = numbers[k], rotation = puzzle.orientations[numbers[k + 1]], offset = numbers.slice(k + 2, k + 5);
    const cells = puzzle.pieces[piece].cells.map((cell) => add(turned(rotation, cell), offset));
    instances.push({ piece, rotation, offset, cells, middle: mean(cells) });
  }
  return instances;
}
