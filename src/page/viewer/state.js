// What is shown: one solution, a moment of its steps, how far it is exploded, and which pieces the reader asked for.

const state = {
  solution: 0, instances: [], steps: [],
  /** Steps done, with fractions while one is under way. */
  progress: 0,
  playing: false, speed: 1,
  /** Whether pieces were last put in, 1, or taken out, -1. */
  direction: 1,
  /** From 0 to 1, and what it is on the way to. */
  explosion: 0, wantedExplosion: 0,
  hidden: new Set(), ghosts: new Set(), solo: null,
  /** `{piece, instance, square}`; the last two may be null. */
  chosen: null,
  /** Whether the chosen square is covered, so that the other pieces are seen through. */
  xray: false,
};

/** How far pieces move at most, in shares of their distance from the middle. */
const FARTHEST = 1.6;

const listeners = [];
/** Calls back whenever something has changed; `what` says what: solution, progress, explosion, pieces, chosen, play. */
const onChange = (listener) => listeners.push(listener);
function changed(what) {
  listeners.forEach((listener) => listener(what));
}

function showSolution(number) {
  state.solution = clamp(number, 0, puzzle.solutions.length - 1);
  state.instances = instancesOf(state.solution);
  state.steps = stepsOf(state.instances, puzzle.ways[state.solution]);
  state.whole = mean(state.instances.flatMap(({ cells }) => cells));
  state.progress = state.steps.length;
  state.playing = false;
  state.direction = 1;
  if (state.chosen) state.chosen = { ...state.chosen, instance: null, square: null };
  state.xray = false;
  changed('solution');
}

/** `direction` says which way the step is told; without it, the way that leads there. */
function goTo(progress, direction = null) {
  const next = clamp(progress, 0, state.steps.length);
  if (direction) state.direction = direction;
  else if (next !== state.progress) state.direction = next > state.progress ? 1 : -1;
  state.progress = next;
  changed('progress');
}

/** Plays forwards, 1, backwards, -1, or not at all, 0. From the end it begins again. */
function play(direction) {
  const count = state.steps.length;
  state.playing = direction !== 0;
  if (state.playing) state.direction = direction;
  if (direction > 0 && state.progress >= count) state.progress = 0;
  if (direction < 0 && state.progress <= 0) state.progress = count;
  changed('play');
}

function explode(to, atOnce = false) {
  state.wantedExplosion = clamp(to, 0, 1);
  if (atOnce) state.explosion = state.wantedExplosion;
  changed('explosion');
}

function choose(piece, instance = null, square = null) {
  state.chosen = piece === null ? null : { piece, instance, square };
  state.xray = false;
  changed('chosen');
}

/** Hides, shows alone or makes see-through, or takes that back. */
function act(name, piece) {
  if (name === 'show') {
    if (!state.hidden.delete(piece)) state.hidden.add(piece);
  } else if (name === 'ghost') {
    if (!state.ghosts.delete(piece)) state.ghosts.add(piece);
  } else {
    state.solo = state.solo === piece ? null : piece;
  }
  changed('pieces');
}

function showAll() {
  state.hidden.clear();
  state.ghosts.clear();
  state.solo = null;
  state.xray = false;
  changed('pieces');
}

const isTouched = () => state.hidden.size + state.ghosts.size > 0 || state.solo !== null;

/** What is to be drawn now, in millimetres. */
function itemsNow() {
  const { pitch, spread } = puzzle, items = [];
  state.instances.forEach((instance, index) => {
    const { piece } = instance;
    if (state.hidden.has(piece) || (state.solo !== null && state.solo !== piece)) return;
    const { by, alpha } = motion(index);
    if (alpha <= 0) return;
    const from = sub(instance.middle, state.whole);
    const away = scale(from, state.explosion * FARTHEST * (pitch + spread) + spread);
    const shift = add(add(scale(instance.offset, pitch), away), scale(by, pitch));
    const { chosen } = state;
    const isChosen = chosen !== null && chosen.piece === piece && (chosen.instance ?? index) === index;
    const square = isChosen && chosen.square !== null && chosen.instance === index ? squareOf(piece, chosen.square) : null;
    items.push({
      mesh: piece, instance: index, rotation: instance.rotation, shift, alpha, square,
      ghost: state.ghosts.has(piece) || (state.xray && !isChosen),
      glow: state.hovered === index ? 0.3 : 0, aside: chosen && !isChosen ? 0.62 : 0,
    });
  });
  return items;
}

/** How far an instance is from its place, in cells, and how much of it is there. */
function motion(index, counts = () => true) {
  let by = [0, 0, 0], alpha = 1, first = true;
  state.steps.forEach((step, number) => {
    if (!step.moving.includes(index) || !counts(step)) return;
    const done = ease(clamp(state.progress - number, 0, 1));
    by = sub(by, scale(step.by, 1 - done));
    // A piece is there from its first step on, also while it is part of something that comes in later.
    if (step.enters && first) alpha = clamp(3 * (state.progress - number), 0, 1);
    first = false;
  });
  return { by, alpha };
}

/** The middle of a square in the frame of its piece, and the direction out of it. */
function squareOf(piece, number) {
  const [cell, side] = puzzle.pieces[piece].squares[number], out = STEPS[side];
  return { at: add(scale(puzzle.pieces[piece].cells[cell], puzzle.pitch), scale(out, puzzle.pitch / 2)), out };
}

/** What the camera has to hold: the sphere around all, the floor, and a frame while pieces are missing. */
function sceneNow() {
  const { pitch, spread } = puzzle, apart = state.explosion * FARTHEST;
  const cellPitch = pitch + spread;
  const around = (at) => Math.hypot(...at.map((c) => Math.abs(c) + 0.5));
  let radius = 0, lowest = Infinity;
  state.instances.forEach(({ cells, middle }, index) => {
    const { by } = motion(index, (step) => !step.fades);
    const away = add(scale(sub(middle, state.whole), apart), by);
    for (const cell of cells) {
      const at = add(sub(cell, state.whole), away);
      radius = Math.max(radius, around(at));
      lowest = Math.min(lowest, at[2] - 0.5);
    }
  });
  // Where pieces fade in stays in the picture from the first step to the last, which ends with the puzzle alone.
  const cells = state.steps.filter((step) => step.fades).flatMap(({ moving, by }) => (
    moving.flatMap((index) => state.instances[index].cells.map((cell) => around(sub(sub(cell, state.whole), by))))));
  const farthest = cells.reduce((a, b) => Math.max(a, b), radius);
  radius += (farthest - radius) * ease(clamp(state.steps.length - state.progress, 0, 1));
  const middle = scale(state.whole, pitch);
  return {
    middle, radius: radius * cellPitch, floor: middle[2] + lowest * cellPitch,
    frame: state.progress < state.steps.length && puzzle.solved && {
      corner: [0, 1, 2].map((k) => middle[k] + (-0.5 - state.whole[k]) * cellPitch), size: scale(puzzle.size, cellPitch),
    },
  };
}
