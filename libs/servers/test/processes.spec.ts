import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { endProcess, exitOf, findProcess, findProcesses, isAlive, stopChild } from '@signalbox/servers';

async function stubborn(mark: string): Promise<ChildProcess> {
  const program = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')";
  const child = spawn(process.execPath, ['-e', program, mark], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { MARK: mark },
  });
  await once(child.stdout!, 'data');
  return child;
}

describe('a process that is not a child', () => {
  it('is found by its command and its environment, and ended even when it ignores SIGTERM', async () => {
    const child = await stubborn('process-found-by-its-command');
    const found = findProcesses(({ command }) => command.includes('process-found-by-its-command'));
    expect(found.map(({ pid }) => pid)).toEqual([child.pid]);
    expect(found[0]?.environment).toContain('MARK=process-found-by-its-command');
    await endProcess(child.pid!, 'SIGTERM', 100);
    expect(isAlive(child.pid!)).toBe(false);
    expect(findProcess(child.pid!)).toBeNull();
  });
});

describe('a child', () => {
  it('is killed after its time limit, and stopping awaits its end', async () => {
    const child = await stubborn('child-that-is-stopped');
    const exited = exitOf(child);
    await stopChild(child, exited, [{ signal: 'SIGTERM', patienceMs: 100 }]);
    expect(await exited).toEqual({ code: null, signal: 'SIGKILL' });
  });
});
