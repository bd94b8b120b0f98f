import { timeScale } from '@signalbox/testing';
import { bombing, LIMITS, quantileMs, undefused } from './bombing.js';
import { BOMBS, PYTHON_BOMBS } from './corpus/bombs.js';
import { executionOf, RunnerWorld } from './world.js';

/** What limits the runner of these tests: processor time by its setting, everything else by the execution. */
const CPU_MS = 1000;
const MARGIN_MS = 500;

describe('all bombs of one company', () => {
  it('are ended, while the scripts of another company start at once and succeed', async () => {
    expect(BOMBS).toHaveLength(40);
    const result = await bombing(BOMBS);
    expect(undefused(result)).toEqual([]);
    expect(result.neighbours.filter(({ status }) => status !== 'completed')).toEqual([]);
    expect(result.neighbours.length).toBeGreaterThan(20);
    const figures = [result.alone, result.neighbours].map((scripts) =>
      [0.5, 0.99, 1].map((share) => quantileMs(scripts, share).toFixed(1)).join(' / '),
    );
    process.stdout.write(`p50 / p99 / max of the neighbour in ms: alone ${figures[0]}, with bombs ${figures[1]}\n`);
    expect(quantileMs(result.neighbours, 0.99)).toBeLessThanOrEqual(2 * timeScale() * quantileMs(result.alone, 0.99));
    const delayedMs = quantileMs(result.neighbours, 1) - quantileMs(result.alone, 0.5);
    expect(delayedMs).toBeLessThan(1000 * timeScale());
    // The time that the runner measures has no wait for a process and no bus in it.
    const late = result.bombs.filter(({ wall_ms = 0 }) => wall_ms > LIMITS.timeout_ms + MARGIN_MS * timeScale());
    expect(late).toEqual([]);
    expect(result.after).toMatchObject([{ output: 1 }, { output: 1 }]);
  }, 240_000);
});

describe('a bomb on an idle runner', () => {
  let world: RunnerWorld;
  beforeAll(async () => {
    world = await RunnerWorld.start({ SCRIPT_CPU_SECONDS: String(CPU_MS / 1000) });
  }, 60_000);
  afterAll(() => world.stop());

  // Every sixth: of each kind of resource at least one.
  const javascript = BOMBS.filter((_, index) => index % 6 === 0);

  it.each([
    ...javascript.map(({ name, script }) => ({ name, script, language: 'javascript' as const, memory_mb: 32 })),
    ...PYTHON_BOMBS.map((bomb) => ({ ...bomb, language: 'python' as const, memory_mb: 128 })),
  ])(
    'is ended within its limit and half a second: $language, $name',
    async ({ script, language, memory_mb }) => {
      const limits = { timeout_ms: 2000, memory_mb };
      const result = await world.execute(executionOf(script, { language, limits }));
      // An exception of the script is an end too: that of a value which the engine refuses to make.
      expect(['failed', 'timed_out']).toContain(result.status);
      // The time that the runner measures has no wait for a process and no bus in it.
      expect(result.wall_ms).toBeLessThan(limits.timeout_ms + MARGIN_MS * timeScale());
      expect('cpu_ms' in result && result.cpu_ms).toBeLessThan(CPU_MS + MARGIN_MS);
    },
    90_000,
  );

  it('of waiting is ended by the clock', async () => {
    const waits = 'async function execute(ctx) { await ctx.http.fetch("x") }';
    const never = { call: () => new Promise<never>(() => undefined), log: () => undefined, emit: () => undefined };
    const limits = { timeout_ms: 1000, memory_mb: 32 };
    const result = await world.execute(executionOf(waits, { limits }), never);
    expect(result).toMatchObject({ status: 'timed_out' });
    expect(result.wall_ms).toBeGreaterThanOrEqual(limits.timeout_ms - 1);
    expect(result.wall_ms).toBeLessThan(limits.timeout_ms + MARGIN_MS * timeScale());
  });
});
