// The canvas: frames when something has changed, mouse, touch and keys.

function createStage(canvas, tip) {
  const meshes = puzzle.pieces.map(meshOf);
  let renderer = createRenderer(canvas, meshes);
  if (!renderer) return null;
  let items = [], scene = sceneNow(), posesAreOld = true, asked = false, before = 0;

  const ask = () => {
    if (!asked) requestAnimationFrame(frame);
    asked = true;
  };
  function frame(now) {
    asked = false;
    // After a pause the first frame takes no leap.
    const seconds = before && now - before < 250 ? (now - before) / 1000 : 1 / 60;
    before = now;
    let more = advance(seconds);
    if (posesAreOld) {
      items = itemsNow();
      scene = sceneNow();
      Object.assign(camera, { radius: scene.radius, middle: scene.middle });
    }
    more = camera.glide(seconds) || more;
    resize(canvas);
    camera.aspect = canvas.width / canvas.height;
    renderer.draw(items, scene, theme(), posesAreOld);
    posesAreOld = more && (state.playing || state.explosion !== state.wantedExplosion);
    if (more) ask(); else before = 0;
  }
  onChange(() => {
    posesAreOld = true;
    ask();
  });
  new ResizeObserver(ask).observe(canvas);
  new MutationObserver(ask).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
  canvas.addEventListener('webglcontextrestored', () => {
    renderer = createRenderer(canvas, meshes);
    posesAreOld = true;
    ask();
  });

  /** A place on the canvas from -1 to 1, up is positive. */
  const placeOf = ({ clientX, clientY }) => {
    const box = canvas.getBoundingClientRect();
    return [(clientX - box.left) / box.width * 2 - 1, 1 - (clientY - box.top) / box.height * 2];
  };
  const under = (event) => pick(camera.eye(), camera.ray(placeOf(event)), items.filter(({ ghost, alpha }) => !ghost && alpha > 0.5));
  const hover = (hit, event) => {
    const index = hit ? hit.item.instance : undefined;
    canvas.classList.toggle('on-piece', Boolean(hit));
    tip.hidden = !hit;
    if (hit) {
      const box = canvas.parentElement.getBoundingClientRect();
      const { name, squares } = puzzle.pieces[hit.item.mesh], text = squares[hit.square]?.[2];
      tip.textContent = text ? `${name}: ${text}` : name;
      tip.style.transform = `translate(${event.clientX - box.left + 14}px, ${event.clientY - box.top + 14}px)`;
    }
    if (index !== state.hovered) {
      state.hovered = index;
      changed('hover');
    }
  };
  watchPointers(canvas, { ask, under, hover, placeOf });
  ask();
  return { ask, renderer };
}

/** Moves on what moves by itself; whether there is more to come. */
function advance(seconds) {
  let more = false;
  if (state.playing) {
    const next = state.progress + state.direction * seconds * state.speed / SECONDS_A_STEP;
    if (next >= state.steps.length || next <= 0) state.playing = false;
    goTo(next);
    if (!state.playing) changed('play');
    more = state.playing;
  }
  const gap = state.wantedExplosion - state.explosion;
  if (gap !== 0) {
    const share = still.matches ? 1 : 1 - Math.exp(-12 * seconds);
    state.explosion = Math.abs(gap) < 1e-3 ? state.wantedExplosion : state.explosion + gap * share;
    changed('explosion');
    more = true;
  }
  return more;
}

const SECONDS_A_STEP = 0.9;

/** As many pixels as the screen shows, at most two a unit. */
function resize(canvas) {
  const ratio = Math.min(devicePixelRatio, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((length) => Math.max(1, Math.round(length * ratio)));
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
}

function theme() {
  const dark = document.documentElement.dataset.theme === 'dark';
  return {
    accent: linear(dark ? '#7BA4FF' : '#2463EB'), shadow: dark ? 0.62 : 0.34,
    frame: dark ? [0.35, 0.35, 0.35, 0.35] : [0, 0, 0, 0.28],
  };
}

/** Turns, moves and zooms; a click that did not move chooses. */
function watchPointers(canvas, { ask, under, hover, placeOf }) {
  const pointers = new Map();
  let moved = 0;
  const middleOf = () => scale([...pointers.values()].map(({ x, y }) => [x, y, 0]).reduce(add), 1 / pointers.size);
  const spanOf = () => {
    const [a, b] = [...pointers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  const pan = (dx, dy) => {
    const perPixel = 2 * camera.distance() * Math.tan(FIELD / 2) / canvas.clientHeight;
    camera.move(-dx * perPixel, dy * perPixel);
  };
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved = pointers.size > 1 ? Infinity : 0;
  });
  canvas.addEventListener('pointermove', (event) => {
    const pointer = pointers.get(event.pointerId);
    if (!pointer) return event.pointerType === 'mouse' && hover(under(event), event);
    const [dx, dy] = [event.clientX - pointer.x, event.clientY - pointer.y];
    const before = { middle: middleOf(), span: pointers.size > 1 ? spanOf() : 1 };
    Object.assign(pointer, { x: event.clientX, y: event.clientY });
    moved += Math.abs(dx) + Math.abs(dy);
    if (pointers.size > 1) {
      const [mx, my] = sub(middleOf(), before.middle);
      pan(mx, my);
      camera.zoomBy(spanOf() / Math.max(before.span, 1));
    } else if (event.buttons & 6 || event.shiftKey || event.ctrlKey) {
      pan(dx, dy);
    } else if (moved > CLICK) {
      camera.turn(dx * 0.4, dy * 0.4);
    }
    return ask();
  });
  const release = (event) => {
    const isClick = event.type === 'pointerup' && event.button === 0 && moved <= CLICK && pointers.has(event.pointerId);
    pointers.delete(event.pointerId);
    if (!isClick) return;
    const hit = under(event);
    if (hit) choose(hit.item.mesh, hit.item.instance, hit.square >= 0 ? hit.square : null); else choose(null);
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('pointerleave', (event) => hover(null, event));
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('dblclick', () => {
    camera.home();
    ask();
  });
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? 300 : 1);
    camera.zoomBy(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.0015)), placeOf(event));
    ask();
  }, { passive: false });
}

/** Pixels that a hand may shake while it clicks. */
const CLICK = 4;
