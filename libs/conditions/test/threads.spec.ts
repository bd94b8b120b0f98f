import { readdir, readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { EvaluationThreads, type EvaluationLimits, SchemaChecker, TextTests, TOO_COSTLY } from '@signalbox/conditions';

const started: EvaluationThreads[] = [];
/** With a machine that other work uses to a share, whatever else runs there during the test. */
function start(limits: Partial<EvaluationLimits> = {}, share = 0) {
  const threads = new EvaluationThreads(limits, { shareWithout: () => share });
  started.push(threads);
  return { threads, tests: new TextTests(threads), schemas: new SchemaChecker(threads) };
}
afterEach(async () => {
  for (const threads of started.splice(0)) await threads.onApplicationShutdown();
});

const [ATTACKER, OTHER] = [1, 2];
/** Pseudo-random letters, the same ones in every run: a regular text would have few matcher states. */
function letters(length: number): string {
  let state = 1;
  const next = (): string => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) & 1 ? 'a' : 'b';
  };
  return Array.from({ length }, next).join('');
}
/** Matches nothing, and needs far more than its budget to determine that. */
const SLOW = {
  operator: 'matches',
  pattern: '[ab]*a[ab]{900}c',
  text: `c${letters(400_000)}`,
} as const;
const slowSchema = (n: number) => ({ type: 'string', pattern: `^(?=(a+)+$)b${n}` });
const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: { status: number }) => error.status,
  );

/** How nice each thread of this process is to others; Linux alone has a value for each thread. */
async function niceness(): Promise<number[]> {
  const threads = await readdir('/proc/self/task');
  const texts = await Promise.all(threads.map((thread) => readFile(`/proc/self/task/${thread}/stat`, 'latin1')));
  return texts.map((text) => Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16]));
}

describe('an evaluation thread', () => {
  it('gets the CPU time that the calls of its process leave', async () => {
    if (process.platform !== 'linux') return;
    const before = await niceness();
    await start().schemas.problemOf(OTHER, { type: 'object' }, {});
    const usual = getPriority();
    expect(before.filter((nice) => nice > usual)).toEqual([]);
    expect((await niceness()).filter((nice) => nice > usual)).toEqual([5]);
    expect(getPriority()).toBe(usual);
  });

  it('gets what short evaluations leave as soon as an evaluation takes long, and serves no other company then', async () => {
    if (process.platform !== 'linux') return;
    // At the lower priority next to other work, an evaluation has a few hundredths of a processor.
    const { schemas, tests } = start({ budgetMs: 60_000, wallMs: 300_000 });
    const usual = getPriority();
    const lowered = async () => (await niceness()).filter((nice) => nice > usual).sort((one, other) => one - other);
    const long = { ...SLOW, text: SLOW.text.slice(0, 5_000) };
    expect(await tests.passes(ATTACKER, long)).toBe(false);
    expect(await lowered()).toEqual([10]);
    await schemas.problemOf(OTHER, { type: 'object' }, {});
    expect(await lowered()).toEqual([5, 10]);
    await tests.passes(ATTACKER, long);
    expect(await lowered()).toEqual([5, 10]);
  }, 120_000);
});

describe('a company with a long evaluation', () => {
  /** Uses the event loop for most of the time until it is stopped. */
  function keepBusy(): () => void {
    let isBusy = true;
    const turn = (): void => {
      const end = performance.now() + 6;
      while (performance.now() < end);
      if (isBusy) setTimeout(turn, 1);
    };
    turn();
    return () => (isBusy = false);
  }
  /** On one thread: how many of five evaluations of another company end before its second one, which waited before them. */
  async function endedBefore(share = 0): Promise<number> {
    const { tests } = start({ threads: 1, waitMs: 900_000, wallMs: 900_000, startMs: 900_000, budgetMs: 60 }, share);
    const first = statusOf(tests.passes(ATTACKER, SLOW));
    let ended = 0;
    let before = -1;
    const second = statusOf(tests.passes(ATTACKER, SLOW)).then(() => (before = ended));
    const others = Array.from({ length: 5 }, () =>
      tests.passes(OTHER, { ...SLOW, pattern: 'c[ab]{3}' }).then(() => (ended += 1)),
    );
    expect(await first).toBe(422);
    await Promise.all([second, ...others]);
    return before;
  }

  it('pauses after it while the event loop is busy, and the others do not wait', async () => {
    const stop = keepBusy();
    expect(await endedBefore().finally(stop)).toBeGreaterThan(0);
  }, 300_000);

  it('pauses after it while the machine is busy', async () => {
    expect(await endedBefore(0.9)).toBeGreaterThan(0);
  }, 300_000);

  it('has the next one at once while neither the process nor the machine has much to do', async () => {
    expect(await endedBefore()).toBe(0);
  }, 300_000);
});

describe('tests of texts', () => {
  it('have the same results in place and in a thread', async () => {
    const { tests } = start();
    const long = `${'x'.repeat(2_000_000)}Needle 42`;
    for (const [operator, pattern, inShort, inLong] of [
      ['contains', 'needle 4', true, true],
      ['contains', 'needles', false, false],
      ['like', '%needle __', true, true],
      ['like', 'needle%', true, false],
      ['matches', 'Needle \\d{2}$', true, true],
      ['matches', '^Needle', true, false],
    ] as const) {
      expect(await tests.passes(1, { operator, pattern, text: 'Needle 42' })).toBe(inShort);
      expect(await tests.passes(1, { operator, pattern, text: long })).toBe(inLong);
    }
  });

  // The name of a test has the beginning of a long pattern.
  it.each(
    [
      ['^a+$', 200],
      ['(a+)+$', 200],
      ['(', 422],
      ['(?=a)b', 422],
      ['(a)\\1', 422],
      ['a{1000}', 200],
      ['((a{30}){30}){30}', 422],
      ['[ab]'.repeat(4_900), 422],
    ].map(([pattern, status]) => [String(pattern).slice(0, 40), String(pattern), Number(status)] as const),
  )('with the pattern %s', async (_name, pattern, status) => {
    const { tests } = start({ budgetMs: 5_000 });
    expect(await statusOf(tests.requirePatterns(1, ['x', pattern]))).toBe(status);
  });

  it('that take too long end their thread, and the next test runs on another', async () => {
    const { tests } = start();
    await expect(tests.passes(1, SLOW)).rejects.toMatchObject({
      status: 422,
      message: "the test 'matches' takes longer than 250 ms on this text",
    });
    expect(await tests.passes(1, { operator: 'matches', pattern: 'a{3}', text: 'aaa' })).toBe(true);
  });
});

/** The packages that a compiled module imports, itself or through the files that it imports. */
async function packagesOf(module: URL, seen = new Set<string>()): Promise<string[]> {
  if (seen.has(module.href)) return [];
  seen.add(module.href);
  const text = await readFile(module, 'utf8');
  const names = [...text.matchAll(/^(?:import|export) (?:[\w\s{},*]+ from )?'([^']+)';$/gm)].map(
    ([, name = '']) => name,
  );
  const files = names.filter((name) => name.startsWith('.'));
  const below = await Promise.all(files.map((name) => packagesOf(new URL(name, module), seen)));
  return [...names.filter((name) => !name.startsWith('.')), ...below.flat()];
}

describe('threads', () => {
  it('load the validator, the pattern engine and a cache alone, so that a new one starts soon on a loaded machine', async () => {
    const worker = new URL('../src/threads/evaluation-loop.js', import.meta.url);
    const packages = await packagesOf(worker);
    expect([...new Set(packages)].sort()).toEqual([
      'ajv',
      'ajv/dist/2019.js',
      'ajv/dist/2020.js',
      'lru-cache',
      'node:fs',
      'node:worker_threads',
      're2js',
    ]);
  });

  it('give up an evaluation that used up its budget when no other thread starts in time', async () => {
    const budgetMs = 1_000;
    const { schemas } = start({ budgetMs, startMs: 0, wallMs: 120_000 });
    expect(await schemas.problemOf(ATTACKER, { type: 'string' }, 'x')).toBeNull();
    const before = process.cpuUsage();
    expect(await schemas.problemOf(ATTACKER, slowSchema(1), `${'a'.repeat(40)}!`)).toBe(TOO_COSTLY);
    // A second attempt would have twice the budget of the first. In CPU time, which other processes do not stretch.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(2 * budgetMs);
  });

  it('serve another company while one requests all threads', async () => {
    const { schemas, tests } = start();
    const attacks: Promise<unknown>[] = [];
    let ended = 0;
    for (let n = 0; n < 60; n += 1)
      attacks.push(schemas.problemOf(ATTACKER, slowSchema(n), `${'a'.repeat(40)}!`).finally(() => (ended += 1)));
    attacks.push(tests.passes(ATTACKER, SLOW));
    const settled = Promise.allSettled(attacks);
    for (let n = 0; n < 20; n += 1)
      expect(await schemas.problemOf(OTHER, { type: 'string', const: `${n}` }, `${n}`)).toBeNull();
    // The other company is served during the attack, not after it.
    expect(ended).toBeLessThan(attacks.length / 2);
    await started[0]!.onApplicationShutdown();
    void settled;
  });

  it('do not block the event loop', async () => {
    const { schemas, tests } = start({ waitMs: 500 });
    await tests.passes(ATTACKER, { operator: 'matches', pattern: 'a{3}', text: 'aaa' });
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const wide = { operator: 'like', pattern: `%${'a'.repeat(19_000)}b%`, text: 'a'.repeat(900_000) } as const;
    const results = await Promise.all([
      statusOf(tests.passes(ATTACKER, wide)),
      statusOf(tests.passes(ATTACKER, { ...wide, operator: 'contains', pattern: `b${'a'.repeat(19_000)}` })),
      statusOf(tests.passes(ATTACKER, { ...wide, operator: 'matches', pattern: '[ab]'.repeat(4_900) })),
      ...Array.from({ length: 10 }, (_, n) =>
        statusOf(schemas.problemOf(ATTACKER, slowSchema(n), `${'a'.repeat(40)}!`)),
      ),
    ]);
    delay.disable();
    expect(results.filter((status) => ![200, 422, 503].includes(status))).toEqual([]);
    // Each of these blocked the event loop for many seconds without a thread.
    expect(delay.max / 1e6).toBeLessThan(2500 * Number(process.env.TEST_TIME_SCALE ?? 1));
  });

  it('refuse evaluations that would wait too long or exceed the limit of a company', async () => {
    const { schemas } = start({ waiting: 3, waitMs: 100, budgetMs: 100 });
    const statuses = await Promise.all(
      Array.from({ length: 6 }, (_, n) => statusOf(schemas.problemOf(ATTACKER, slowSchema(n), `${'a'.repeat(40)}!`))),
    );
    // One runs, three wait until their time is over, the others are refused at once.
    expect(statuses).toEqual([200, 503, 503, 503, 503, 503]);
  });
});
