// What the engine of 3dviewer.net makes of every STL, STEP, 3MF and GLB, in headless Chromium: meshes, names, colours,
// sizes.
//
// usage: CLIENTS=FOLDER_OF_NODE_MODULES node view.mjs PUZZLE_FOLDER...

import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';

const modules = path.join(process.env.CLIENTS, 'node_modules');
const { chromium } = createRequire(path.join(modules, 'x.js'))('playwright-core');
const ENGINE = path.join(modules, 'online-3d-viewer/build/engine/o3dv.min.js');
const STEP_READER = path.join(modules, 'occt-import-js/dist');
const SIZE_TOLERANCE = 1e-3; // mm
const VOLUME_TOLERANCE = 2e-3; // relative: the viewer replaces curves by chords of its own
const PATIENCE = 60_000; // ms

async function main(folders) {
  const server = await serve(folders);
  const origin = `http://127.0.0.1:${server.address().port}`;
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'view-'));
  const browser = await openBrowser(profile, origin);
  try {
    for (const [index, folder] of folders.entries()) {
      try {
        const report = JSON.parse(fs.readFileSync(path.join(folder, 'report.json'), 'utf8'));
        for (const [file, wanted] of expectations(report)) {
          await judge(browser, path.join(folder, file), `${origin}/${index}/${encodeURI(file)}`, wanted);
        }
      } catch (error) {
        say(folder, [String(error)]);
      }
    }
  } finally {
    await browser.close();
    server.close();
    fs.rmSync(profile, { recursive: true, force: true });
  }
}

/** Every file the viewer has to open, with what has to be seen in it; `pieces` are those behind the meshes. */
function expectations(report) {
  const placed = report.pieces.flatMap((piece) => Array(piece.count).fill(piece));
  const tight = report.target.map((cells) => cells * report.pitch_mm - 2 * report.inset_mm);
  const size = report.style === 'proud' ? undefined : tight.sort((a, b) => a - b);
  const files = report.pieces.flatMap((piece) => [
    [`pieces/${piece.file}.stl`, { meshes: 1, volume: piece.volume_mm3 }],
    ...['step', '3mf', 'glb'].map((format) => [`pieces/${piece.file}.${format}`,
      { meshes: 1, volume: piece.volume_mm3, pieces: [piece], marks: true, format }]),
  ]);
  if (report.solve.assemblies > 0) {
    const volume = placed.reduce((sum, piece) => sum + piece.volume_mm3, 0);
    files.push(['assembled.stl', { meshes: 1, volume, size }], ['exploded.stl', { meshes: 1, volume }]);
    const whole = { meshes: placed.length, volume, pieces: placed };
    for (const format of ['step', '3mf', 'glb']) {
      files.push([`assembled.${format}`, { ...whole, size, marks: format !== 'step', format }]);
      if (format !== '3mf') files.push([`exploded.${format}`, { ...whole, marks: format !== 'step', format }]);
    }
  }
  return files;
}

async function judge(browser, file, url, wanted) {
  const failures = [], facts = {};
  const page = await browser.newPage();
  page.on('console', (message) => message.type() === 'error' && failures.push(message.text().slice(0, 160)));
  page.on('pageerror', (error) => failures.push(String(error).slice(0, 160)));
  try {
    await page.goto(new URL('/', url).href);
    const seen = await page.evaluate(look, { url, patience: PATIENCE });
    const names = seen.meshes.map((mesh) => mesh.name);
    const colours = [...new Set(seen.meshes.flatMap((mesh) => mesh.colours))].sort();
    const unit = wanted.format === 'glb' ? 1e3 : 1; // metres
    const volume = unit ** 3 * seen.meshes.reduce((sum, mesh) => sum + mesh.volume, 0);
    Object.assign(facts, { meshes: names.length, triangles: seen.triangles, colours, volume_mm3: round(volume) });
    if (names.length !== wanted.meshes) failures.push(`${names.length} meshes, wanted ${wanted.meshes}`);
    // The digits of a 3MF are closed bodies that stand on another; the viewer takes places for vertices and sees them as one.
    const isStacked = wanted.format === '3mf' && wanted.pieces.some((piece) => piece.mark_colours.length > 0);
    if (!isStacked && seen.meshes.some((mesh) => !mesh.manifold)) failures.push('a mesh is not a closed surface');
    if (!(Math.abs(volume / wanted.volume - 1) < VOLUME_TOLERANCE)) {
      failures.push(`volume ${round(volume)} mm3, wanted ${round(wanted.volume)}`);
    }
    const sides = seen.size.map((side) => unit * side).sort((a, b) => a - b); // the viewer stands a STEP up on its own axis
    if (wanted.size?.some((side, axis) => Math.abs(side - sides[axis]) > SIZE_TOLERANCE)) {
      failures.push(`size ${sides.map(round)}, wanted ${wanted.size}`);
    }
    if (wanted.pieces) failures.push(...nameFailures(names, wanted.pieces), ...colourFailures(colours, wanted));
  } catch (error) {
    failures.push(String(error.message ?? error).split('\n')[0]);
  }
  await page.close();
  say(file, failures, facts);
}

/** Every mesh is named after its piece, perhaps with a copy's number behind it. */
function nameFailures(names, pieces) {
  const free = [...names];
  return pieces.filter((piece) => {
    const at = free.findIndex((name) => name === piece.name || name.startsWith(`${piece.name} `));
    if (at >= 0) free.splice(at, 1);
    return at < 0;
  }).map((piece) => `no mesh is named ${piece.name}`);
}

/**
 * The viewer takes linear colours of STEP and 3MF for sRGB, so that all but pure colours look darker, and it loses the
 * colours of single faces where a piece stands in the assembly of a STEP.
 */
function colourFailures(colours, { pieces, marks, format }) {
  const shown = (channel) => (format === 'glb' ? channel : linear(channel));
  const near = (seen, colour) => channels(colour).map(shown).every((c, k) => Math.abs(c - channels(seen)[k]) <= 2);
  const bodies = pieces.map((piece) => piece.colour), inks = pieces.flatMap((piece) => piece.mark_colours);
  const owed = new Set(marks ? [...bodies, ...inks] : bodies);
  const lost = [...owed].filter((colour) => !colours.some((seen) => near(seen, colour)));
  const strange = colours.filter((seen) => ![...bodies, ...inks].some((colour) => near(seen, colour)));
  return [...lost.map((colour) => `${colour} is not seen`), ...strange.map((seen) => `${seen} is no colour of ours`)];
}

const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
const linear = (channel) => {
  const c = channel / 255;
  return 255 * (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
};
const round = (number) => Math.round(number * 1e3) / 1e3;

/** Runs inside the page: opens the file in the viewer and measures what the viewer holds. */
async function look({ url, patience }) {
  const viewer = await new Promise((opened, refused) => {
    const viewer = new OV.EmbeddedViewer(document.getElementById('view'), {
      onModelLoaded: () => opened(viewer),
      onModelLoadFailed: () => refused(new Error('the viewer cannot open it')),
    });
    viewer.LoadModelFromUrlList([url]);
    setTimeout(() => refused(new Error('the viewer did not open it in time')), patience);
  });
  const model = viewer.GetModel(), meshes = [];
  const hex = (colour) => `#${OV.RGBColorToHexString(colour)}`.toUpperCase();
  model.EnumerateMeshInstances((instance) => {
    const mesh = instance.GetMesh(), colours = new Set();
    for (let k = 0; k < mesh.TriangleCount(); k++) {
      const triangle = mesh.GetTriangle(k);
      if (triangle.HasVertexColors()) {
        for (const corner of [triangle.c0, triangle.c1, triangle.c2]) colours.add(hex(mesh.GetVertexColor(corner)));
      } else if (triangle.mat !== null) {
        colours.add(hex(model.GetMaterial(triangle.mat).color));
      }
    }
    meshes.push({
      name: mesh.GetName(), colours: [...colours],
      manifold: OV.IsTwoManifold(instance), volume: OV.CalculateVolume(instance),
    });
  });
  const box = OV.GetBoundingBox(model);
  const size = ['x', 'y', 'z'].map((axis) => box.max[axis] - box.min[axis]);
  return { meshes, size, triangles: model.TriangleCount() };
}

/** Serves the page, the engine and the files of the folders, on this machine only. */
function serve(folders) {
  const page = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">'
    + '<div id="view" style="width:640px;height:480px"></div><script src="/engine.js"></script>';
  const server = http.createServer((request, response) => {
    const [, first, ...rest] = decodeURIComponent(request.url).split('/');
    const file = first === 'engine.js' ? ENGINE : path.join(folders[Number(first)] ?? '', ...rest);
    if (first === '') return response.setHeader('Content-Type', 'text/html').end(page);
    fs.createReadStream(file).on('error', () => response.writeHead(404).end()).pipe(response);
  });
  return new Promise((ready) => { server.listen(0, '127.0.0.1', () => ready(server)); });
}

/** A browser that reaches nothing beyond this machine; the engine's request for its STEP reader is answered from disk. */
async function openBrowser(profile, origin) {
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
  const types = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
  await browser.route('**/*', (route) => {
    const url = route.request().url();
    const reader = url.match(/\/occt-import-js@[^/]+\/dist\/([\w.-]+)$/);
    if (url.startsWith(origin) || /^(blob|data):/.test(url)) return route.continue();
    if (!reader) return route.abort();
    const headers = { 'Access-Control-Allow-Origin': '*' };
    return route.fulfill({ path: path.join(STEP_READER, reader[1]), contentType: types[path.extname(reader[1])], headers });
  });
  return browser;
}

function say(file, failures, facts = {}) {
  console.log(JSON.stringify({ judge: 'view', file, ok: failures.length === 0, ...facts, failures }));
}

await main(process.argv.slice(2));
