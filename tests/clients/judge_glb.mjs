// What the Khronos validator and three.js say of every GLB: no word against it; names, colours, volumes, metres, motion.
//
// usage: CLIENTS=FOLDER_OF_NODE_MODULES node judge_glb.mjs PUZZLE_FOLDER...

import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const modules = path.join(process.env.CLIENTS, 'node_modules');
const validator = createRequire(path.join(modules, 'x.js'))('gltf-validator');
globalThis.self ??= globalThis;
globalThis.ProgressEvent ??= class {};
const THREE = await import(pathToFileURL(path.join(modules, 'three/build/three.module.js')));
const { GLTFLoader } = await import(pathToFileURL(path.join(modules, 'three/examples/jsm/loaders/GLTFLoader.js')));
const SIZE_TOLERANCE = 1e-6; // m
const VOLUME_TOLERANCE = 1e-3; // relative: chords instead of curves take this much at most

async function main(folders) {
  for (const folder of folders) {
    try {
      const report = JSON.parse(fs.readFileSync(path.join(folder, 'report.json'), 'utf8'));
      for (const [file, wanted] of expectations(report)) await judge(path.join(folder, file), wanted);
    } catch (error) {
      say(folder, [String(error)]);
    }
  }
}

/** Every GLB that is owed, with the pieces in it and, where it is known, the size in metres once all have moved home. */
function expectations(report) {
  const files = report.pieces.map((piece) => [`pieces/${piece.file}.glb`, { pieces: [piece] }]);
  if (report.solve.assemblies > 0) {
    const pieces = report.pieces.flatMap((piece) => Array(piece.count).fill(piece));
    const [x, y, z] = report.target.map((cells) => (cells * report.pitch_mm - 2 * report.inset_mm) / 1000);
    const home = report.style === 'proud' ? undefined : [x, z, y]; // y is up
    for (const name of ['assembled.glb', 'exploded.glb']) files.push([name, { pieces, home, moves: true }]);
  }
  return files;
}

async function judge(file, wanted) {
  const failures = [], facts = {};
  try {
    const bytes = new Uint8Array(fs.readFileSync(file));
    const { issues } = await validator.validateBytes(bytes, { maxIssues: 20 });
    failures.push(...issues.messages.filter((m) => m.severity <= 1).map((m) => `${m.code}: ${m.message}`));
    const gltf = await new GLTFLoader().parseAsync(bytes.buffer, '');
    if (wanted.moves) {
      if (gltf.animations.length !== 1) failures.push(`${gltf.animations.length} animations, wanted 1`);
      const mixer = new THREE.AnimationMixer(gltf.scene);
      for (const clip of gltf.animations) {
        const action = mixer.clipAction(clip);
        action.setLoop(THREE.LoopOnce).clampWhenFinished = true;
        action.play();
        mixer.update(clip.duration);
      }
    }
    gltf.scene.updateMatrixWorld(true);
    const meshes = [];
    gltf.scene.traverse((node) => node.isMesh && meshes.push(node));
    const json = gltf.parser.json;
    const shown = json.nodes.filter((node) => node.mesh !== undefined);
    if (json.meshes.length !== new Set(wanted.pieces.map((piece) => piece.name)).size) {
      failures.push(`${json.meshes.length} meshes defined for ${wanted.pieces.length} pieces`);
    }
    if (new Set(shown.map((node) => node.name)).size !== shown.length) failures.push('two nodes have one name');
    const names = shown.map((node) => json.meshes[node.mesh].name).sort();
    if (names.join('\n') !== wanted.pieces.map((piece) => piece.name).sort().join('\n')) {
      failures.push(`the pieces are ${names}`);
    }
    const colours = new Set(meshes.map((mesh) => `#${mesh.material.color.getHexString()}`.toUpperCase()));
    const owed = new Set(wanted.pieces.flatMap((piece) => [piece.colour, ...piece.mark_colours]));
    if ([...colours].sort().join() !== [...owed].sort().join()) failures.push(`the colours are ${[...colours]}`);
    if (meshes.some((mesh) => mesh.material.metalness !== 0)) failures.push('a material is metallic');
    const volume = meshes.reduce((sum, mesh) => sum + volumeOf(mesh), 0);
    const owedVolume = wanted.pieces.reduce((sum, piece) => sum + piece.volume_mm3, 0) / 1e9;
    if (!(Math.abs(volume / owedVolume - 1) < VOLUME_TOLERANCE)) {
      failures.push(`${volume * 1e9} mm3, wanted ${owedVolume * 1e9}`);
    }
    const box = new THREE.Box3().setFromObject(gltf.scene, true);
    const size = box.getSize(new THREE.Vector3()).toArray();
    // What comes off downwards may end below the ground.
    if (!wanted.moves && Math.abs(box.min.y) > SIZE_TOLERANCE) failures.push(`the lowest point is at y = ${box.min.y} m`);
    if (wanted.home?.some((side, k) => !(Math.abs(side - size[k]) < SIZE_TOLERANCE))) {
      failures.push(`it comes together as ${size} m, wanted ${wanted.home}`);
    }
    Object.assign(facts, { meshes: meshes.length, size_mm: size.map((side) => Math.round(side * 1e6) / 1e3) });
  } catch (error) {
    failures.push(String(error.message ?? error).split('\n')[0]);
  }
  say(file, failures, facts);
}

/** Enclosed by the triangles of a mesh where it stands, in cubic metres; of an open one its share of a closed whole. */
function volumeOf(mesh) {
  const { index, attributes: { position } } = mesh.geometry;
  const [a, b, c] = [0, 1, 2].map(() => new THREE.Vector3());
  let sum = 0;
  for (let k = 0; k < index.count; k += 3) {
    [a, b, c].forEach((corner, i) => corner.fromBufferAttribute(position, index.getX(k + i)).applyMatrix4(mesh.matrixWorld));
    sum += a.dot(b.cross(c)) / 6;
  }
  return sum;
}

function say(file, failures, facts = {}) {
  console.log(JSON.stringify({ judge: 'glb', file, ok: failures.length === 0, ...facts, failures }));
}

await main(process.argv.slice(2));
