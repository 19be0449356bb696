// The list of pieces, and the card of the chosen one with its net. A click in net or model shows the square in both.

const SVG = 'http://www.w3.org/2000/svg';

/** An element with attributes and content. */
function element(name, attributes = {}, ...content) {
  const isSvg = ['svg', 'g', 'use', 'path'].includes(name), out = isSvg ? document.createElementNS(SVG, name) : document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => out.setAttribute(key, value));
  out.append(...content);
  return out;
}

function createPanels(stage) {
  const rows = [...document.querySelectorAll('.legend li')];
  rows.forEach((row, piece) => {
    row.querySelector('.pick').addEventListener('click', () => choose(state.chosen?.piece === piece && state.chosen.square === null ? null : piece));
    if (stage) row.append(...toolsOf(piece));
  });
  byId('show-all').addEventListener('click', showAll);
  nameLinks();
  let shown = null;
  const show = (what) => {
    if (!['solution', 'pieces', 'chosen'].includes(what)) return;
    const { chosen } = state, counts = puzzle.pieces.map(() => 0);
    state.instances.forEach(({ piece }) => { counts[piece] += 1; });
    rows.forEach((row, piece) => {
      row.classList.toggle('chosen', chosen?.piece === piece);
      row.classList.toggle('hidden', state.hidden.has(piece) || (state.solo !== null && state.solo !== piece));
      row.classList.toggle('unused', counts[piece] === 0);
      row.querySelector('.count').textContent = counts[piece] === 1 ? '' : `×${counts[piece]}`;
      row.querySelector('.pick').setAttribute('aria-pressed', chosen?.piece === piece);
      const pressed = { show: !state.hidden.has(piece), solo: state.solo === piece, ghost: state.ghosts.has(piece) };
      row.querySelectorAll('.tool').forEach((tool) => tool.setAttribute('aria-pressed', pressed[tool.dataset.act]));
      row.querySelector('[data-act="show"] use')?.setAttribute('href', pressed.show ? '#i-eye' : '#i-eye-off');
    });
    // A card stays when the choice goes, so that the panel does not jump.
    const next = chosen?.piece ?? shown ?? Math.max(0, counts.findIndex(Boolean));
    if (next !== shown) fillCard(next, stage);
    shown = next;
    byId('card').querySelectorAll('.tile').forEach((tile) => {
      tile.setAttribute('aria-pressed', chosen?.piece === shown && chosen.square === Number(tile.dataset.square));
    });
    if (what === 'chosen' && chosen) rows[chosen.piece].scrollIntoView({ block: 'nearest' });
    byId('show-all').hidden = !isTouched();
  };
  onChange(show);
  show('solution');
}

/** A link in the table of files says its size alone; its name is that of its column and row as well. */
function nameLinks() {
  const kinds = [...document.querySelectorAll('.of-pieces thead th')];
  document.querySelectorAll('.of-pieces td a').forEach((link) => {
    const cell = link.parentElement, row = cell.parentElement;
    link.download = '';
    link.setAttribute('aria-label', `${kinds[cell.cellIndex].textContent} of ${row.cells[0].textContent}, ${link.textContent}`);
  });
}

/** What can be done with a piece. */
function toolsOf(piece) {
  const { name } = puzzle.pieces[piece];
  return [['show', `Show ${name}`, 'eye'], ['solo', `Show only ${name}`, 'solo'], ['ghost', `See through ${name}`, 'ghost']].map(([what, label, icon]) => {
    const use = element('use', { href: `#i-${icon}` });
    const tool = element('button', { class: 'tool', type: 'button', 'data-act': what, 'aria-label': label, title: label }, element('svg', { 'aria-hidden': true }, use));
    tool.addEventListener('click', () => act(what, piece));
    return tool;
  });
}

/** Net, facts and files of a piece; facts and files are those of the tables. */
function fillCard(piece, stage) {
  const card = byId('card'), { name, cells, net } = puzzle.pieces[piece];
  card.hidden = false;
  card.querySelector('bdi').textContent = name;
  card.querySelector('.count').textContent = cells.length > 1 ? `${cells.length} cells` : '';
  card.querySelector('.nets').replaceChildren(...net.map((part) => drawNet(piece, part, stage)));
  const cellsOf = (table) => [...document.querySelectorAll(`${table} tbody tr:nth-child(${piece + 1}) td`)];
  const [copies, size, volume, mass, down] = cellsOf('.printing').map(({ textContent }) => textContent);
  const facts = [['Size', `${size} mm`], ['Volume', `${volume} cm³`], ['PLA', `${mass} g`], ['Copies', copies], ['Face down', down]];
  card.querySelector('.facts').replaceChildren(...facts.map(([term, text]) => element('div', {}, element('dt', {}, term), element('dd', {}, text))));
  const kinds = [...document.querySelectorAll('.of-pieces thead th')].map(({ textContent }) => textContent);
  const links = cellsOf('.of-pieces').map((cell, k) => {
    const link = cell.querySelector('a')?.cloneNode();
    link?.removeAttribute('aria-label');
    link?.append(kinds[k + 1], element('small', {}, cell.textContent));
    return link;
  });
  card.querySelector('.chips').replaceChildren(...links.filter(Boolean));
}

/** A part of a net, each square a button. */
function drawNet(piece, tiles, stage) {
  const { name, cells, squares, colour, ink } = puzzle.pieces[piece], margin = 0.08, size = 52;
  const [width, height] = [1, 2].map((at) => Math.max(...tiles.map((tile) => tile[at])) + 1 + 2 * margin);
  const lines = { m: '', v: '', c: '' };
  const buttons = tiles.map(([square, x, y, turn, edges]) => {
    const [cell, side, text, own] = squares[square], place = cells.length > 1 ? ` of cell ${cell + 1}` : '';
    const label = `${SIDES[side]}${place}${text && `, ${text}`}`;
    const button = element('g', { class: 'tile', 'data-square': square, role: 'button', tabindex: 0, 'aria-label': label }, element('path', { d: `M${x} ${y}h1v1h-1Z`, fill: own?.[0] ?? colour }));
    if (text) button.append(element('use', { href: `#m${puzzle.texts.indexOf(text)}`, transform: `translate(${x + 0.5} ${y + 0.5})rotate(${-90 * turn})`, fill: own?.[1] ?? ink }));
    const paths = [`M${x} ${y}h1`, `M${x} ${y}v1`, `M${x} ${y + 1}h1`, `M${x + 1} ${y}v1`];
    [...edges].forEach((edge, k) => { if (edge !== 'f') lines[edge] += paths[k]; });
    const press = () => chooseSquare(piece, square, stage);
    button.addEventListener('click', press);
    button.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      press();
    });
    return button;
  });
  const strokes = [['fold', lines.m], ['valley', lines.v], ['cut', lines.c]].filter(([, d]) => d).map(([kind, d]) => element('path', { class: kind, d }));
  const view = `${-margin} ${-margin} ${width} ${height}`;
  return element('svg', {
    class: 'net', viewBox: view, width: Math.round(width * size), height: Math.round(height * size), fill: colour, role: 'group', 'aria-label': `Net of ${name}`,
  }, ...buttons, ...strokes);
}

/** Shows a square of a net on the model: turned to the eye, and through other pieces where it is covered. */
function chooseSquare(piece, square, stage) {
  const index = state.chosen?.piece === piece && state.chosen.instance !== null
    ? state.chosen.instance : state.instances.findIndex((instance) => instance.piece === piece);
  if (index < 0) return choose(piece, null, square);
  choose(piece, index, square);
  const { rotation, cells } = state.instances[index], [cell, side] = puzzle.pieces[piece].squares[square];
  const out = turned(rotation, STEPS[side]), ahead = add(cells[cell], out);
  const covers = (instance) => instance.cells.some((other) => Math.hypot(...sub(other, ahead)) < 0.5);
  state.xray = state.explosion < 0.05 && state.instances.some(covers);
  // A little from beside and above shows where it is better than straight on.
  const [azimuth, elevation] = VIEWS[SIDES[sideOf(out)]];
  camera.look(Math.abs(elevation) === 90 ? [HOME.azimuth, elevation * 0.7] : [azimuth + 28, 20]);
  stage?.ask();
  return changed('pieces');
}
