/// <reference lib="dom" />
import type { Platform } from '@signalbox/testing';
import { browserPath, launch, PortalPage } from '@signalbox/testing/browser';
import type { CDPSession } from 'playwright-core';
import type { Bench, Sizes } from '../bench.js';
import { type Goal, reportAlone, type Verdict } from '../measure/report.js';
import { mockRuns } from './mocked-runs.js';
import { mockTimeline } from './mocked-timeline.js';

const KEYS = 40;
const SLOWED = 4;

const less = (what: string, unit: string, must: number): Goal => ({
  ...{ id: 'P24', what, unit, must },
  ...{ better: 'less', aim: must },
});

/** Milliseconds until the largest part of a page is drawn, with a warm server and an empty cache. */
async function largestPaint(portal: PortalPage, session: CDPSession, slowdown: number): Promise<number> {
  await slowTo(session, slowdown);
  await portal.open('/');
  const ms = await portal.page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0));
        observer.observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
  await slowTo(session, 1);
  return ms;
}

/** Slows the processor of the page down for as long as the session is attached. */
async function slowTo(session: CDPSession, rate: number): Promise<void> {
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** The slowest of forty key presses in a list, until the next frame is drawn. */
async function slowestKey(portal: PortalPage, session: CDPSession, slowdown: number): Promise<number> {
  const { page } = portal;
  await page.getByRole('grid').focus();
  await slowTo(session, slowdown);
  await page.evaluate(() => {
    const drawn: number[] = [];
    (window as unknown as { drawn: number[] }).drawn = drawn;
    document.addEventListener(
      'keydown',
      ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => drawn.push(performance.now() - timeStamp))),
      { capture: true },
    );
  });
  for (let pressed = 1; pressed <= KEYS; pressed++) {
    await page.keyboard.press('j');
    await page.waitForFunction((n) => (window as unknown as { drawn: number[] }).drawn.length >= n, pressed);
  }
  const slowest = await page.evaluate(() => Math.max(...(window as unknown as { drawn: number[] }).drawn));
  await slowTo(session, 1);
  return slowest;
}

/** Milliseconds from the key End until the last of the rows is there. */
async function jumpToEnd({ page }: PortalPage, rows: number): Promise<number> {
  await page.getByRole('grid').focus();
  const began = performance.now();
  await page.keyboard.press('End');
  await page
    .locator(`[aria-rowindex="${rows + 1}"]`)
    .getByText(`message ${rows - 1}`, { exact: true })
    .waitFor();
  return performance.now() - began;
}

/** What scripts hold; `collects` = without what is no longer used. */
const heapMb = async ({ page }: PortalPage, collects = true): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  if (collects) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number };
  await session.detach();
  return usedSize / 2 ** 20;
};

/** Opens a timeline and waits until all of it is there. */
async function readTimeline(portal: PortalPage, address: string): Promise<void> {
  await portal.open(address);
  await portal.page.getByRole('tab', { name: 'Timeline' }).click();
  await portal.page.getByText(/^[\d,]+ steps of [\d,]+ events$/).waitFor({ timeout: 600_000 });
}

/** Bytes of all scripts and styles that the home page loads, as they are transferred, in kB. */
const firstLoadKb = async ({ page }: PortalPage): Promise<number> =>
  page.evaluate(() => {
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const code = files.filter(({ name }) => /\.(js|css)$/.test(name));
    return code.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1024;
  });

/** P24: what a reader of the pages feels. */
export const portal: Bench = {
  name: 'portal',
  description:
    'P24: first load, largest paint, keys and rows of a list of 100,000, and memory of the pages in Chromium',
  async run({ tiny, rounds, setups }: Sizes): Promise<Verdict[]> {
    const path = browserPath();
    if (path === null) {
      console.log('\nP24  not run: no Chromium was found (must ≤ 0, aim ≤ 0)');
      return [];
    }
    return setups.onPlatform(
      { services: ['accounts', 'traffic', 'agents', 'workflows', 'monitors', 'gateway'] },
      (platform) => inBrowser(platform, path, tiny ? 1 : rounds, tiny ? [500, 300] : [100_000, 30_000]),
    );
  },
};

async function inBrowser(
  platform: Platform,
  path: string,
  rounds: number,
  [rows, steps]: [rows: number, steps: number],
): Promise<Verdict[]> {
  const browser = await launch(path);
  try {
    const page = await PortalPage.signedIn(browser, platform, await platform.company('Portal'));
    const session = await page.page.context().newCDPSession(page.page);
    const seen = { load: [] as number[], paint: [] as number[], slowPaint: [] as number[], heap: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      seen.paint.push(await largestPaint(page, session, 1));
      seen.load.push(await firstLoadKb(page));
      seen.heap.push(await heapMb(page));
      seen.slowPaint.push(await largestPaint(page, session, SLOWED));
    }
    await mockRuns(page.page, rows);
    const list = { keys: [] as number[], slowKeys: [] as number[], jumps: [] as number[], nodes: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      await page.open('/runs');
      list.keys.push(await slowestKey(page, session, 1));
      list.slowKeys.push(await slowestKey(page, session, SLOWED));
      list.jumps.push(await jumpToEnd(page, rows));
      list.nodes.push(await page.page.evaluate(() => document.querySelectorAll('*').length));
    }
    const timeline = await mockTimeline(page.page, steps);
    const held = { all: [] as number[], used: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      await readTimeline(page, timeline);
      held.all.push(await heapMb(page, false));
      held.used.push(await heapMb(page));
    }
    return [
      reportAlone(less('scripts and styles of the first load, as transferred', 'kB', 60), seen.load),
      reportAlone(less('largest paint of the home page', 'ms', 500), seen.paint),
      reportAlone(less('the same, processor four times slower', 'ms', 1200), seen.slowPaint),
      reportAlone(less('heap after the first page', 'MB', 10), seen.heap),
      reportAlone(less(`slowest of 40 keys in ${rows} rows`, 'ms', 100), list.keys),
      reportAlone(less('the same, processor four times slower', 'ms', 200), list.slowKeys),
      reportAlone(less(`jump to the end of ${rows} rows`, 'ms', 200), list.jumps),
      reportAlone(less('elements of that page', 'nodes', 900), list.nodes),
      reportAlone(less(`heap of a timeline of ${steps} steps, with what is no longer used`, 'MB', 30), held.all),
      reportAlone(less('the same, with what is used alone', 'MB', 30), held.used),
    ];
  } finally {
    await browser.close();
  }
}
