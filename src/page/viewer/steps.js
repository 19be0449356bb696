// How the pieces come together. A step moves some pieces by whole cells along an axis; in their first one they come in.

/** The steps that put a solution together, in order. */
function stepsOf(instances, way) {
  return way ? stepsBack(instances, way) : stepsByLayer(instances);
}

/** The way apart, backwards. */
function stepsBack(instances, way) {
  return way.map(([moving, side, cells, leaves]) => {
    const names = list(moving.map((index) => puzzle.pieces[instances[index].piece].name));
    // A single piece that will not move again is shown over the last stretch of its way; others need all of it.
    const isLast = leaves && moving.length === 1 && way.filter((step) => step[0].includes(moving[0])).at(-1)[0] === moving;
    const by = scale(STEPS[side], -(isLast ? Math.min(cells, NEAR) : cells));
    const many = moving.length > 1 ? ' together' : '', far = cells === 1 ? '1 cell' : `${cells} cells`;
    return leaves
      ? { moving, by, enters: true, fades: isLast, sentence: `Slide ${names}${many} in ${FROM[side]}.`, undo: `Slide ${names}${many} out ${TO[side]}.` }
      : { moving, by, sentence: `Move ${names}${many} ${far} ${TO[side ^ 1]}.`, undo: `Move ${names}${many} ${far} ${TO[side]}.` };
  }).reverse();
}

const FROM = ['from the left', 'from the right', 'from the front', 'from behind', 'from below', 'from above'];
const TO = ['to the left', 'to the right', 'to the front', 'to the back', 'down', 'up'];

function stepsByLayer(instances) {
  const lowest = (instance, axis) => Math.min(...instance.cells.map((cell) => cell[axis]));
  // Layer by layer from below, the back row first, so that the hand has room.
  const order = instances.map((_, index) => index).sort((a, b) => {
    const [one, other] = [instances[a], instances[b]];
    return lowest(one, 2) - lowest(other, 2) || other.middle[1] - one.middle[1] || one.middle[0] - other.middle[0] || a - b;
  });
  return order.map((index) => {
    const { name } = puzzle.pieces[instances[index].piece];
    return {
      moving: [index], by: [0, 0, -NEAR], enters: true, fades: true,
      sentence: `Put ${name} ${place(instances[index])}`, undo: `Take ${name} off.`,
    };
  });
}

/** From how many cells away a piece comes in. */
const NEAR = 2;

/** Where a piece lies and how it is turned, in words. */
function place(instance) {
  if (!puzzle.solved) return 'on the table.';
  const layers = [...new Set(instance.cells.map((cell) => cell[2]))].sort((a, b) => a - b);
  const layer = puzzle.size[2] === 1 ? '' : `into the ${list(layers.map((z) => layerName(z, puzzle.size[2])))} layer${layers.length > 1 ? 's' : ''}, `;
  const words = `${layer}${spot(instance)}`;
  if (instance.cells.length > 1) return `${words}.`;
  const own = (side) => SIDES[sideOf(turnedBack(instance.rotation, STEPS[SIDES.indexOf(side)]))];
  return `${words}: its ${own('front')} to the front, its ${own('top')} up.`;
}

const list = (words) => (words.length < 2 ? words[0] : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`);

function layerName(z, count) {
  if (z === 0) return 'bottom';
  if (z === count - 1) return 'top';
  return count === 3 ? 'middle' : ordinal(z + 1);
}

const ordinal = (n) => `${n}${['th', 'st', 'nd', 'rd'][n % 10 < 4 && Math.floor(n / 10) % 10 !== 1 ? n % 10 : 0]}`;

/** Where in its layer the middle of a piece is. */
function spot({ middle, cells }) {
  const third = (axis, [low, high]) => {
    const from = middle[axis] - (puzzle.size[axis] - 1) / 2;
    if (Math.abs(from) < puzzle.size[axis] / 6) return '';
    return from < 0 ? low : high;
  };
  if (cells.length === 1 && Math.max(puzzle.size[0], puzzle.size[1]) > 3) {
    return `column ${cells[0][0] + 1} from the left, row ${cells[0][1] + 1} from the front`;
  }
  const words = [third(1, ['front', 'back']), third(0, ['left', 'right'])].filter(Boolean).join(' ');
  return words ? `at the ${words}` : 'in the middle';
}
