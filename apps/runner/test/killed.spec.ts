import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProcesses } from '@signalbox/servers';
import type { ScriptResult } from '@signalbox/scripts';
import { eventually, ROOT } from '@signalbox/testing';
import { createLogger } from '@signalbox/platform';
import { ChildPool } from '../src/pool/child-pool.js';
import { MemoryBudget } from '../src/pool/memory-budget.js';
import { type PoolSettings, poolSizes } from '../src/pool/pool-settings.js';
import { type ChildOptions, ScriptChild } from '../src/pool/script-child.js';
import { compileIn } from '../src/scripts/compilation.js';
import { executionOf, RecordingHost, RunnerWorld } from './world.js';

const PROGRAM = `${ROOT}apps/runner/dist/src/child/main.js`;

/** Where the runners of this spec make the folders of their children, for other specs have runners too. */
const FOLDER = mkdtempSync(join(tmpdir(), 'killed-'));

/** The child processes themselves, without the programs that jail them. */
const children = () =>
  findProcesses(
    ({ command, directory }) =>
      command[0] === process.execPath &&
      command.some((word) => word === PROGRAM) &&
      directory?.startsWith(FOLDER) === true,
  );

let world: RunnerWorld;
beforeEach(async () => {
  world = await RunnerWorld.start({ SCRIPT_CPU_SECONDS: '60', TMPDIR: FOLDER });
}, 60_000);
afterEach(() => world.stop());
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/** Starts a script that asks the host again and again, and resolves when it has asked once. */
async function startAsking(): Promise<{ running: Promise<ScriptResult> }> {
  const asking = executionOf('async function execute(ctx) { for (;;) await ctx.artifacts.get("x") }');
  return new Promise((resolve) => {
    const host = new RecordingHost(() => resolve({ running }));
    const running = world.execute(asking, host);
  });
}

describe('a compilation', () => {
  it('refuses no script when its process is killed from outside', async () => {
    await world.execute(executionOf('function execute() { return 1 }'));
    const ready = children();
    for (const { pid } of ready) process.kill(pid, 'SIGSTOP');
    const compiled = world.compile('javascript', 'function execute() {}').catch((error: unknown) => error);
    // The runner takes calls in order: with this reply the compilation has its process.
    await world.runner.languages();
    for (const { pid } of ready) process.kill(pid, 'SIGKILL');
    expect(await compiled).toMatchObject({ kind: 'unavailable' });
  }, 60_000);
});

describe('an execution', () => {
  it('is lost when its process is killed from outside, and the next one runs', async () => {
    const { running } = await startAsking();
    const killed = new Set(children().map(({ pid }) => pid));
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    expect(await running).toMatchObject({
      status: 'lost',
      message: 'the process of the script was killed from outside',
      is_outage: false,
    });
    // Those that were kept ready were killed as well, and the runner notices the end of each.
    const ready = killed.size - 1;
    await eventually('others are ready', () => children().filter(({ pid }) => !killed.has(pid)).length >= ready);
    expect(await world.execute(executionOf('function execute() { return 1 }'))).toMatchObject({ output: 1 });
  }, 60_000);

  it('is lost when the runner is killed, and no process of a script survives it', async () => {
    const { running } = await startAsking();
    expect(children().length).toBeGreaterThan(0);
    await world.process.kill('SIGKILL');
    const lost = await running;
    expect(lost).toMatchObject({ status: 'lost' });
    // The script may have taken its runner with it.
    expect(lost).not.toHaveProperty('is_outage', true);
    await eventually('no child is left', () => children().length === 0);
    const refused = world.execute(executionOf('function execute() { return 1 }'));
    await expect(refused).rejects.toMatchObject({ kind: 'unavailable' });
  }, 60_000);

  it('is lost when the runner stops and its grace is over', async () => {
    const { running } = await startAsking();
    await world.process.kill('SIGTERM');
    expect(await running).toMatchObject({ status: 'lost', message: 'the runner stopped', is_outage: true });
    await eventually('no child is left', () => children().length === 0);
  }, 60_000);
});

describe('a process of scripts', () => {
  const jail = { level: 'none', parts: [], commandOf: () => [] } as const;
  const start = (change: Partial<ChildOptions> = {}) =>
    new ScriptChild({ kind: 'javascript', jail, slot: 1, program: PROGRAM, cwd: FOLDER, readable: [ROOT], ...change });

  it('compiles after an execution that ended while its reader was slow', async () => {
    const child = start();
    await child.ready;
    child.pause();
    const script = 'function execute() {}';
    const { compiled } = await compileIn(child, { language: 'javascript', script }, Date.now() + 60_000);
    expect(compiled).toMatchObject({ problems: [] });
    child.kill();
    await child.exited;
  }, 90_000);

  const poolOf = (starting: () => ScriptChild, change: Partial<PoolSettings> = {}) => {
    const { javascript } = poolSizes({ javascript: 4, python: 1 }, 0, 10, 512, 'none');
    const log = createLogger('test', 'silent');
    const settings = { ...javascript, ...change };
    return new ChildPool('javascript', settings, new MemoryBudget(512), starting, log, () => undefined, false);
  };
  const needs = { company: 1, depth: 0, memoryMb: 64, bytes: 1 };
  const acquire = (pool: ChildPool) => pool.acquire(needs, Date.now() + 60_000, new AbortController().signal);

  it('is started again when the system had no memory for it', async () => {
    let refused = 0;
    const pool = poolOf(() => {
      if (refused++ === 0) throw new Error('spawn ENOMEM');
      return start();
    });
    const child = await acquire(pool);
    pool.close();
    await child.exited;
  }, 90_000);

  it('is replaced when it hangs before it is ready', async () => {
    const program = join(FOLDER, 'hangs.mjs');
    writeFileSync(program, 'setInterval(() => {}, 1000);');
    const started: ScriptChild[] = [];
    const pool = poolOf(
      () => {
        const child = start(started.length === 0 ? { program, readable: [FOLDER], startMs: 100 } : {});
        started.push(child);
        return child;
      },
      { spare: 0 },
    );
    const child = await acquire(pool);
    expect(started.indexOf(child)).toBe(1);
    expect(await started[0]?.exited).toMatchObject({ isKilled: true });
    pool.close();
    await child.exited;
  }, 90_000);

  it('is not used again with so much memory that the next script would exceed its own', async () => {
    for (const [aroundScriptMb, isUsedAgain] of [
      [10_000, true],
      [1, false],
    ] as const) {
      const pool = poolOf(() => start(), { aroundScriptMb });
      const first = await acquire(pool);
      pool.release(first, needs, { isReusable: true, executedScript: true });
      const second = await acquire(pool);
      expect(first === second).toBe(isUsedAgain);
      pool.close();
      await Promise.all([first.exited, second.exited]);
    }
  }, 90_000);
});
