// Steps, explosion and solutions: the controls around the model, and the keys for them.

const byId = (id) => document.getElementById(id);

function createPlayer(stage) {
  const [slider, explosion, solution] = ['step', 'explode', 'solution'].map(byId);
  const count = puzzle.solutions.length;
  const setIcon = (button, icon, label) => {
    button.querySelector('use').setAttribute('href', `#i-${icon}`);
    button.setAttribute('aria-label', label);
  };
  const show = () => {
    const { steps, progress, direction } = state, at = Math.floor(progress + 1e-6);
    const running = direction > 0 ? Math.ceil(progress - 1e-6) : Math.min(at + 1, steps.length);
    slider.max = steps.length;
    slider.value = progress;
    slider.setAttribute('aria-valuetext', `step ${at} of ${steps.length}`);
    byId('step-count').value = `${direction > 0 ? running : at} / ${steps.length}`;
    byId('sentence').textContent = sentence(running);
    for (const [id, way, icon, label] of [['play', 1, 'play', 'Put together'], ['play-back', -1, 'play-back', 'Take apart']]) {
      const isRunning = state.playing && direction === way;
      setIcon(byId(id), isRunning ? 'pause' : icon, isRunning ? 'Pause' : label);
    }
    explosion.value = Math.round(100 * state.wantedExplosion);
    byId('explode-amount').value = `${explosion.value} %`;
    if (document.activeElement !== solution) solution.value = state.solution + 1;
    byId('first').disabled = byId('step-back').disabled = progress <= 0;
    byId('last').disabled = byId('step-on').disabled = progress >= steps.length;
    byId('solution-before').disabled = state.solution === 0;
    byId('solution-next').disabled = state.solution === count - 1;
  };
  const sentence = (step) => {
    if (!puzzle.solved) return 'There is nothing to put together: here are the pieces.';
    if (step === 0) return start();
    return `${step}. ${state.steps[step - 1][state.direction > 0 ? 'sentence' : 'undo']}`;
  };
  const start = () => {
    const there = state.instances.filter((_, index) => motion(index).alpha > 0);
    return there.length === 0 ? 'Nothing is in place yet.' : `Start with ${list(there.map(({ piece }) => puzzle.pieces[piece].name))}.`;
  };
  const pause = () => state.playing && play(0);
  const stepBy = (by) => {
    pause();
    goTo(by < 0 ? Math.ceil(state.progress - 1e-6) - 1 : Math.floor(state.progress + 1e-6) + 1);
  };
  const toEnd = (progress) => {
    pause();
    goTo(progress);
  };
  const commands = {
    first: () => toEnd(0), last: () => toEnd(state.steps.length),
    'step-back': () => stepBy(-1), 'step-on': () => stepBy(1), play: () => play(state.playing && state.direction > 0 ? 0 : 1),
    'play-back': () => play(state.playing && state.direction < 0 ? 0 : -1),
    'solution-before': () => showSolution(state.solution - 1), 'solution-next': () => showSolution(state.solution + 1),
    fit: () => view(() => camera.home()), 'zoom-in': () => view(() => camera.zoomBy(1.25)), 'zoom-out': () => view(() => camera.zoomBy(0.8)),
  };
  const view = (move) => {
    move();
    stage?.ask();
  };
  Object.entries(commands).forEach(([id, command]) => byId(id).addEventListener('click', command));
  document.querySelectorAll('[data-view]').forEach((button) => {
    button.addEventListener('click', () => view(() => camera.look(VIEWS[button.dataset.view])));
  });
  slider.addEventListener('input', () => {
    pause();
    goTo(Number(slider.value));
  });
  explosion.addEventListener('input', () => explode(Number(explosion.value) / 100, true));
  byId('speed').addEventListener('change', ({ target }) => { state.speed = Number(target.value); });
  solution.addEventListener('change', () => {
    showSolution((Number.parseInt(solution.value, 10) || 1) - 1);
    solution.value = state.solution + 1;
  });
  const more = puzzle.total > count ? `, first ${count} here` : '';
  byId('solution-count').textContent = `of ${puzzle.total}${puzzle.complete ? '' : ' so far'}${more}`;
  onChange(show);
  show();
  watchKeys(commands, view);
}

/** Keys work wherever the reader is, but not while they write or move a control of their own. */
function watchKeys(commands, view) {
  const help = byId('help');
  const openHelp = () => help.showModal();
  byId('help-open').addEventListener('click', openHelp);
  help.addEventListener('click', (event) => event.target === help && help.close());
  const names = Object.keys(VIEWS);
  const chosen = (name) => () => state.chosen && act(name, state.chosen.piece);
  const keys = {
    ' ': () => (state.playing ? play(0) : play(1)), b: commands['play-back'], ',': commands['step-back'], '.': commands['step-on'], Home: commands.first, End: commands.last,
    n: commands['solution-next'], p: commands['solution-before'], f: commands.fit, '+': commands['zoom-in'], '=': commands['zoom-in'],
    '-': commands['zoom-out'], e: () => explode(state.wantedExplosion > 0 ? 0 : 1), h: chosen('show'), s: chosen('solo'), g: chosen('ghost'),
    '?': openHelp, Escape: () => {
      choose(null);
      showAll();
    },
  };
  names.forEach((name, k) => { keys[k + 1] = () => view(() => camera.look(VIEWS[name])); });
  const arrows = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  addEventListener('keydown', (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || help.open || target.closest('input, select, textarea')) return;
    // Space and Enter press what has the focus; Home and End scroll the panel.
    const isControl = target.closest('button, a, summary, [role="button"]');
    const onCanvas = target.id === 'canvas' || target === document.body;
    if (isControl && (key === ' ' || key === 'Enter')) return;
    if (arrows[key] && onCanvas) {
      const [x, y] = arrows[key], step = camera.radius / camera.zoom * 0.08;
      view(() => (event.shiftKey ? camera.move(x * step, -y * step) : camera.turn(-x * 9, y * 9)));
    } else if (keys[key.length === 1 ? key.toLowerCase() : key] && (onCanvas || !['Home', 'End'].includes(key))) {
      keys[key.length === 1 ? key.toLowerCase() : key]();
    } else {
      return;
    }
    event.preventDefault();
  });
}
