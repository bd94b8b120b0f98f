import { executionOf, RecordingHost, RunnerWorld } from './world.js';

let world: RunnerWorld;
beforeAll(async () => {
  world = await RunnerWorld.start({ SCRIPT_CPU_SECONDS: '60' });
}, 60_000);
afterAll(() => world.stop());

const [BUSY, OTHER] = [1, 2];
const never = new RecordingHost(() => new Promise(() => undefined));
const asking = 'async function execute(ctx) { await ctx.artifacts.get("x") }';
const trivial = 'function execute() { return 1 }';
const statusOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { kind?: string }) => error.kind,
  );

describe('a company whose scripts fill their queue', () => {
  it('is refused at each depth by itself, and the scripts of another company run', async () => {
    const stop = new AbortController();
    const run = (depth: number) => world.execute(executionOf(asking, { company_id: BUSY, depth }), never, stop.signal);
    // Two run and a thousand wait.
    const waiting = Array.from({ length: 1_002 }, () => statusOf(run(0)));
    expect(await statusOf(run(0))).toBe('unavailable');
    expect(await world.execute(executionOf(trivial, { company_id: OTHER }))).toMatchObject({ output: 1 });
    const nested = executionOf(trivial, { company_id: BUSY, depth: 1 });
    expect(await world.execute(nested)).toMatchObject({ output: 1 });
    stop.abort();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['done']));
  }, 60_000);
});
