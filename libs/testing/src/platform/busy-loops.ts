import { type ChildProcess, spawn } from 'node:child_process';
import { ROOT } from './service-process.js';

const LOOP = `${ROOT}tools/slow-machine/busy-loop.mjs`;

/** They end with this process. */
export class BusyLoops {
  private readonly loops: ChildProcess[];

  constructor(count: number) {
    this.loops = Array.from({ length: count }, () =>
      spawn(process.execPath, [LOOP], { stdio: ['pipe', 'ignore', 'ignore'] }),
    );
  }

  stop(): void {
    for (const loop of this.loops) loop.kill('SIGKILL');
  }
}
