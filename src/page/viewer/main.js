// Puts it all together, and keeps the address of what is shown, so that it can be sent to somebody.

/** Reads `#solution=2&step=5&explode=40&piece=V&turn=30,20`. */
function readAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const number = (key) => (wanted.has(key) && Number.isFinite(Number(wanted.get(key))) ? Number(wanted.get(key)) : null);
  const [solution, step, explosion] = ['solution', 'step', 'explode'].map(number);
  if (state.instances.length === 0 || (solution ?? 1) - 1 !== state.solution) showSolution(Math.trunc(solution ?? 1) - 1);
  if (step !== null) goTo(step, 1);
  if (explosion !== null) explode(explosion / 100, true);
  const piece = puzzle.pieces.findIndex(({ name }) => name === wanted.get('piece'));
  if (piece >= 0) choose(piece);
  const turn = (wanted.get('turn') ?? '').split(',').map(Number);
  if (turn.length === 2 && turn.every(Number.isFinite)) {
    const [azimuth, elevation] = [turn[0], clamp(turn[1], -90, 90)];
    Object.assign(camera, { azimuth, elevation });
    Object.assign(camera.wanted, { azimuth, elevation });
  }
}

function writeAddress() {
  const parts = new URLSearchParams();
  if (state.solution > 0) parts.set('solution', state.solution + 1);
  if (state.progress < state.steps.length) parts.set('step', Math.round(state.progress));
  if (state.wantedExplosion > 0) parts.set('explode', Math.round(100 * state.wantedExplosion));
  if (state.chosen) parts.set('piece', puzzle.pieces[state.chosen.piece].name);
  const { azimuth, elevation } = camera.wanted;
  if (azimuth !== HOME.azimuth || elevation !== HOME.elevation) parts.set('turn', `${Math.round(azimuth)},${Math.round(elevation)}`);
  const hash = parts.size > 0 ? `#${parts}` : location.pathname + location.search;
  if (hash !== location.hash && (parts.size > 0 || location.hash)) history.replaceState(null, '', hash);
}

readAddress();
const canvas = byId('canvas');
canvas.hidden = false;
let stage = null;
try {
  stage = createStage(canvas, byId('tip'));
} catch {
  // A driver that cannot do what it promised: the drawing stays.
}
document.querySelector('.stage .still').toggleAttribute('hidden', stage !== null);
canvas.hidden = stage === null;
byId('no-webgl').hidden = stage !== null;
for (const controls of ['.views', '.player']) document.querySelector(controls).hidden = stage === null;
document.querySelector('.browser').hidden = stage === null || puzzle.total < 2;
document.querySelector('.steps').hidden = document.querySelector('.transport').hidden = document.querySelector('.speed').hidden = !puzzle.solved;
byId('help-open').hidden = stage === null;
createPanels(stage);
createPlayer(stage);
addEventListener('hashchange', readAddress);
let waiting = 0;
const writeSoon = () => {
  clearTimeout(waiting);
  waiting = setTimeout(writeAddress, 400);
};
onChange(writeSoon);
canvas.addEventListener('pointerup', writeSoon);
