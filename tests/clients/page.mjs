// Does the page of every puzzle do in headless Chromium, from disk and offline, what it promises?
//
// usage: CLIENTS=FOLDER_OF_NODE_MODULES node page.mjs PUZZLE_FOLDER...
//
// At the width of a phone and of a desktop: it draws, dragging turns, the slider explodes, steps move and say what they
// do, a net shows its square, links lead to files, every control has a name, nothing is asked for, nothing is logged.
// Pages with a picture in golden/ have to look like it. With GOLDEN=write the pictures are taken anew: look at them.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const { chromium } = createRequire(path.join(process.env.CLIENTS, 'node_modules', 'x.js'))('playwright-core');
const GOLDEN = path.join(path.dirname(fileURLToPath(import.meta.url)), 'golden');
const SCREENS = [
  { width: 1600, height: 900 },
  { width: 360, height: 740, hasTouch: true, isMobile: true },
];
// Fonts and drivers differ between machines: blurred to blocks of pixels, few blocks may differ much.
const BLOCK = 8, MUCH = 48, MANY = 0.06; // pixels, of 255, share of the blocks
const MOST_BYTES = 100_000; // beside the models

async function main(folders) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'page-'));
  try {
    for (const screen of SCREENS) {
      const { width, height, ...device } = screen;
      const browser = await chromium.launchPersistentContext(path.join(profile, String(width)), {
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', viewport: { width, height }, offline: true, ...device,
        colorScheme: 'light', reducedMotion: 'reduce',
        args: ['--no-sandbox', '--disable-background-networking', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
      });
      for (const folder of folders) await judge(browser, path.join(folder, 'index.html'), width, look);
      await judge(browser, path.join(folders[0], 'index.html'), width, lookWithoutWebGl);
      await judge(browser, path.join(path.dirname(folders[0]), 'index.html'), width, lookAtAll);
      await browser.close();
    }
  } finally {
    fs.rmSync(profile, { recursive: true, force: true });
  }
}

/** Opens a page and lets `looker` use it; it gives facts and says what fails. */
async function judge(browser, file, width, looker) {
  const failures = [], facts = { width };
  const page = await browser.newPage();
  page.setDefaultTimeout(20_000);
  page.on('console', (message) => failures.push(`console: ${message.text().slice(0, 160)}`));
  page.on('pageerror', (error) => failures.push(String(error).slice(0, 160)));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.isNavigationRequest()) failures.push(`asks for ${request.url().slice(0, 120)}`);
  });
  const expect = (holds, what) => holds || failures.push(what);
  try {
    Object.assign(facts, await looker({ page, file, width, expect, open: () => page.goto(pathToFileURL(path.resolve(file)).href) }));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide <= 0, `it is ${wide} pixels wider than the screen`);
    const nameless = await controlsWithoutName(page);
    expect(nameless.length === 0, `controls without a name: ${nameless.slice(0, 3).join(', ')}`);
    const lost = (await page.$$eval('a[href]', (links) => links.map((link) => link.href)))
      .filter((href) => href.startsWith('file:') && !href.includes('#') && !fs.existsSync(fileURLToPath(href)));
    // A folder judged away from its collection has no page of all above it.
    expect(lost.filter((href) => !href.endsWith('/index.html')).length === 0, `links to nothing: ${lost.slice(0, 3)}`);
  } catch (error) {
    failures.push(String(error.message ?? error).split('\n')[0]);
  }
  await page.close();
  console.log(JSON.stringify({ judge: 'page', file, looker: looker.name, ok: failures.length === 0, ...facts, failures }));
}

async function look({ page, file, width, expect, open }) {
  const text = fs.readFileSync(file, 'utf8');
  const models = text.match(/<script type="application\/json" id="data">(.*?)<\/script>/s)[1];
  const rest = Buffer.byteLength(text) - Buffer.byteLength(models);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await open();
  const first = await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => done(Math.round(performance.now())))); }));
  const busy = await busyTime(session);
  const { solved, pieces, solutions } = JSON.parse(models);
  const canvas = page.locator('#canvas');
  expect(await colours(page) > 8, 'the canvas is blank');
  await compareWithGolden(page, file, width, expect);

  const changes = async (what, act) => {
    const before = await picture(page);
    await act();
    await settled(page);
    expect(await picture(page) !== before, `${what} changes nothing`);
  };
  const box = await canvas.boundingBox(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await changes('dragging', async () => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 20, { steps: 4 });
    await page.mouse.up();
  });
  await changes('the wheel', () => page.mouse.wheel(0, -300));
  await changes('Fit', () => page.getByRole('button', { name: 'Fit', exact: true }).click());
  for (const view of ['Front', 'Back', 'Left', 'Right', 'Top', 'Bottom']) {
    await page.getByRole('button', { name: view, exact: true }).click();
  }
  await changes('an arrow key', async () => {
    await canvas.focus();
    await page.keyboard.press('ArrowLeft');
  });
  await changes('the slider', () => page.getByRole('slider', { name: 'Explode' }).fill('80'));
  expect(await page.locator('#explode-amount').textContent() === '80 %', 'the slider does not say how far');
  await changes('no explosion', () => page.getByRole('slider', { name: 'Explode' }).fill('0'));

  if (solved) {
    const steps = Number(await page.locator('#step').getAttribute('max')), sentence = () => page.locator('#sentence').textContent();
    const last = await sentence();
    await changes('a step', () => page.locator('#step-back').click());
    expect(await page.locator('#step-count').textContent() === `${steps - 1} / ${steps}`, 'the steps are not counted');
    expect(await sentence() !== last, 'a step back says nothing');
    await page.locator('#speed').selectOption('4');
    await page.getByRole('button', { name: 'Put together' }).click();
    await page.waitForFunction((count) => document.getElementById('step-count').textContent === `${count} / ${count}`, steps);
    await changes('the first step', () => page.locator('#first').click());
    await changes('the last step', () => page.locator('#last').click());
  }
  if (solutions.length > 1) {
    // Solutions may differ inside alone.
    await page.getByRole('slider', { name: 'Explode' }).fill('80');
    await settled(page);
    await changes('another solution', () => page.getByRole('button', { name: 'Next solution' }).click());
    await page.waitForFunction(() => location.hash.includes('solution=2'));
    await page.goto('about:blank');
    await page.goto(`${pathToFileURL(path.resolve(file)).href}#solution=${solutions.length}&step=1`);
    await settled(page);
    expect(await page.locator('#solution').inputValue() === String(solutions.length), 'a deep link does not lead to its solution');
  }

  if (solved && solutions.length > 1) await page.locator('#last').click();
  // A piece that no solution shows has nothing to hide.
  const used = page.locator('.legend li:not(.unused)'), row = used.last();
  const name = await row.locator('.name').textContent();
  await row.locator('.pick').click();
  const card = page.locator('#card');
  expect(await card.locator('bdi').textContent() === name, 'choosing a piece does not show its card');
  await changes('a square of the net', () => card.locator('.tile').first().click());
  expect(await card.locator('.tile[aria-pressed="true"]').count() === 1, 'the square is not marked in the net');
  await page.keyboard.press('Escape');
  // Apart, no piece is behind others wholly.
  await changes('exploding', () => page.getByRole('slider', { name: 'Explode' }).fill('80'));
  await changes('seeing through', () => used.first().getByRole('button', { name: /^See through/ }).click());
  await changes('hiding', () => row.getByRole('button', { name: /^Show (?!only)/ }).click());
  await changes('Show all', () => page.getByRole('button', { name: 'Show all' }).click());
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const before = await ground();
  await page.getByRole('button', { name: 'Dark or light' }).click();
  expect(await ground() !== before, 'the other theme changes nothing');
  await page.getByRole('button', { name: 'Dark or light' }).click();
  await settled(page);

  expect(rest <= MOST_BYTES, `${rest} bytes beside the models`);
  return { first_frames_ms: first, ...busy, bytes: rest, model_bytes: Buffer.byteLength(models), pieces: pieces.length, solutions: solutions.length };
}

/**
 * Notes, not judged: milliseconds of processor time that the page itself takes up to its first pictures. Drawing is left
 * out, as here a processor does the work of the graphics card.
 */
async function busyTime(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name) => Math.round(1000 * metrics.find((metric) => metric.name === name).value);
  return { script_ms: of('ScriptDuration'), layout_ms: of('LayoutDuration') + of('RecalcStyleDuration'), busy_ms: of('TaskDuration') };
}

/** Where WebGL is missing there is a drawing, and the rest works. */
async function lookWithoutWebGl({ page, expect, open }) {
  await page.addInitScript(() => { HTMLCanvasElement.prototype.getContext = () => null; });
  await open();
  expect(await page.locator('svg.still').isVisible(), 'there is no drawing');
  expect(await page.locator('#no-webgl').isVisible(), 'nothing is said about WebGL');
  expect(!(await page.locator('#canvas').isVisible()), 'there is an empty canvas');
  await page.locator('.legend .pick').last().click();
  expect(await page.locator('#card .tile').count() > 0, 'pieces cannot be chosen');
  return {};
}

async function lookAtAll({ page, file, expect, open }) {
  if (!fs.existsSync(file)) return { skipped: 'no page of all here' };
  await open();
  const cards = await page.locator('.shelf li').count();
  expect(cards > 0 && await page.locator('.shelf svg.still').count() === cards, 'a puzzle has no picture');
  return { puzzles: cards };
}

/** The canvas as text. */
const picture = (page) => page.evaluate(() => document.getElementById('canvas').toDataURL());

/** Until nothing moves any more. */
async function settled(page) {
  let before = null;
  for (let tries = 0; tries < 40; tries++) {
    await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
    const now = await picture(page);
    if (now === before) return;
    before = now;
  }
}

const colours = (page) => page.evaluate(() => {
  const small = new OffscreenCanvas(64, 48), brush = small.getContext('2d');
  brush.drawImage(document.getElementById('canvas'), 0, 0, 64, 48);
  const { data } = brush.getImageData(0, 0, 64, 48);
  return new Set(Array.from({ length: data.length / 4 }, (_, k) => data.slice(4 * k, 4 * k + 4).join())).size;
});

/** What a screen reader would call a control and could not name. */
async function controlsWithoutName(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const roles = ['button', 'link', 'slider', 'textbox', 'combobox', 'checkbox', 'application', 'img', 'dialog', 'region'];
  const isNameless = ({ ignored, role, name }) => !ignored && roles.includes(role?.value) && !name?.value?.trim();
  return nodes.filter(isNameless).map(({ role, backendDOMNodeId }) => `${role.value} ${backendDOMNodeId}`);
}

async function compareWithGolden(page, file, width, expect) {
  const name = path.join(GOLDEN, `${path.basename(path.dirname(path.resolve(file)))}-${width}.jpg`);
  const shot = await page.screenshot({ type: 'jpeg', quality: 80 });
  if (process.env.GOLDEN === 'write' && fs.existsSync(name)) fs.writeFileSync(name, shot);
  if (!fs.existsSync(name)) return;
  const judgePage = await page.context().newPage();
  const share = await judgePage.evaluate(async ({ images, block, much }) => {
    const [a, b] = await Promise.all(images.map(async (image) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/jpeg;base64,${image}`)).blob());
      const [w, h] = [bitmap.width / block | 0, bitmap.height / block | 0], canvas = new OffscreenCanvas(w, h), brush = canvas.getContext('2d');
      brush.imageSmoothingQuality = 'high';
      brush.drawImage(bitmap, 0, 0, w, h);
      return { size: `${w} x ${h}`, data: brush.getImageData(0, 0, w, h).data };
    }));
    if (a.size !== b.size) return 1;
    let count = 0;
    for (let k = 0; k < a.data.length; k += 4) count += [0, 1, 2].some((c) => Math.abs(a.data[k + c] - b.data[k + c]) > much) ? 1 : 0;
    return count / (a.data.length / 4);
  }, { images: [shot, fs.readFileSync(name)].map((bytes) => bytes.toString('base64')), block: BLOCK, much: MUCH });
  await judgePage.close();
  expect(share <= MANY, `${Math.round(1000 * share) / 10} % of it look different from ${path.basename(name)}`);
}

await main(process.argv.slice(2));
