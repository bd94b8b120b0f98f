// What scripts give to their host is read when there is memory for it, and what they ask for as well.
import { readFile, writeFile } from 'node:fs/promises';
import { eventually } from '@signalbox/testing';
import { type RunCompany, RunWorld } from './run-world.js';

let world: RunWorld;
let company: RunCompany;
beforeAll(async () => {
  world = await RunWorld.start();
}, 120_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await world.company();
});

const MB = 1_000_000;
/** The time that a script may take is not what is tested. */
const large = { memory_mb: 512, timeout_seconds: 3600 };
/** Requests at once, each as large as all that a script may have read at a time. */
const AT_ONCE = 4;

/** Resident memory of the process of workflows in MB: now, and the most since it was last reset. */
async function resident(): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${world.platform.service('workflows').pid}/status`, 'utf8');
  const mb = (name: string): number => (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024) / MB;
  return { now: mb('VmRSS'), most: mb('VmHWM') };
}
const resetMost = (): Promise<void> => writeFile(`/proc/${world.platform.service('workflows').pid}/clear_refs`, '5');

describe('a script with large requests at once', () => {
  it('has one of them read at a time, and another company sends its own', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    world.target.answerWith(async ({ path }) => {
      if (path === '/slow') await answered;
      return { body: '{}' };
    });
    const before = world.target.calls.length;
    const slow = () => world.target.calls.slice(before).filter(({ path }) => path === '/slow').length;
    const posting = (path: string, count: number, length: number): string => `
      const body = 'x'.repeat(${length});
      const post = () => ctx.http.fetch('${world.target.url}${path}', { method: 'POST', body, timeout_ms: 60_000 });
      return (await Promise.all(Array.from({ length: ${count} }, post))).map(({ status }) => status);`;
    await resetMost();
    const { now } = await resident();
    const id = await company.workflow(posting('/slow', AT_ONCE, 13 * MB), large);
    const { run_id = '' } = await company.execute(id, { mode: 'async' });
    await eventually('the first request has arrived', () => slow() === 1, 60_000);
    const other = await world.company();
    const run = await other.runBody(posting('/other', 1, 4 * MB), {}, large);
    expect(run).toMatchObject({ status: 'COMPLETED', output: [200] });
    expect(slow()).toBe(1);
    const { most } = await resident();
    expect(most - now).toBeLessThan(300);
    answer();
    expect((await company.ended(run_id, 120_000)).output).toEqual(new Array(AT_ONCE).fill(200));
  }, 180_000);
});

describe('a script that asks for more at once than may wait for it', () => {
  const SIZE = 4_900_000;
  // It takes no reply for a while: what was read by then would be refused as too much.
  const busy = 'const end = Date.now() + 2_000; while (Date.now() < end);';
  const asking = (count: number, one: string): string => `
    const ask = () => ${one}.then(({ text }) => text.length, ({ name, message }) => name + ': ' + message);
    const all = Array.from({ length: ${count} }, ask);
    ${busy}
    return Promise.all(all);`;

  it('gets all answers of http.fetch, each read when the script has taken the one before', async () => {
    const body = Buffer.alloc(SIZE, 'x');
    world.target.answerWith(() => ({ body }));
    const run = await company.runBody(
      asking(16, `ctx.http.fetch('${world.target.url}/large', { timeout_ms: 60_000 })`),
      {},
      large,
    );
    expect(run.output).toEqual(new Array(16).fill(SIZE));
  }, 120_000);

  it('gets all artifacts, each read when the script has taken the one before', async () => {
    const put = `await ctx.artifacts.put('large.txt', 'x'.repeat(${SIZE}));`;
    const run = await company.runBody(`${put}${asking(8, `ctx.artifacts.get('large.txt')`)}`, {}, large);
    expect(run.output).toEqual(new Array(8).fill(SIZE));
  }, 120_000);
});
