// What is under the pointer. Pieces are made of cells, so a ray is held against boxes.

/** The nearest item along a ray, with the number of its square, or null. */
function pick(eye, direction, items) {
  let best = null;
  for (const item of items) {
    for (const [number, cell] of puzzle.pieces[item.mesh].cells.entries()) {
      const middle = add(turned(item.rotation, scale(cell, puzzle.pitch)), item.shift);
      const hit = enter(eye, direction, middle, puzzle.pitch / 2);
      if (!hit || (best && best.distance <= hit.distance)) continue;
      const side = sideOf(turnedBack(item.rotation, STEPS[hit.side]));
      best = { item, distance: hit.distance, cell: number, side };
    }
  }
  if (!best) return null;
  const { squares } = puzzle.pieces[best.item.mesh];
  best.square = squares.findIndex(([cell, side]) => cell === best.cell && side === best.side);
  return best;
}

/** Where a ray enters a cube, and through which side. */
function enter(eye, direction, middle, half) {
  let near = -Infinity, far = Infinity, side = 0;
  for (let axis = 0; axis < 3; axis++) {
    const slow = Math.abs(direction[axis]) < 1e-12 ? 1e-12 : direction[axis];
    const [a, b] = [-half, half].map((d) => (middle[axis] + d - eye[axis]) / slow);
    if (Math.min(a, b) > near) {
      near = Math.min(a, b);
      side = 2 * axis + (slow > 0 ? 0 : 1);
    }
    far = Math.min(far, Math.max(a, b));
  }
  return near < far && near > 0 ? { distance: near, side } : null;
}
