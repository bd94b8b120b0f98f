import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProcesses } from '@signalbox/servers';
import type { ScriptResult } from '@signalbox/scripts';
import { eventually, ROOT } from '@signalbox/testing';
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
