import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const WATCHER = fileURLToPath(new URL('leftover-watcher.js', import.meta.url));

let watcher: Writable | undefined;

function start(): Writable {
  // Not in the process group of the test: Ctrl-C must not end it first.
  const child = spawn(process.execPath, [WATCHER], { detached: true, stdio: ['pipe', 'ignore', 'inherit'] });
  child.unref();
  // Stays open until this process ends, in whatever way.
  (child.stdin as Writable as Socket).unref();
  return child.stdin;
}

/** When this process ends in any way, all processes that work in the directory end and it is removed. */
export function endWithThisProcess(dir: string): void {
  (watcher ??= start()).write(`${dir}\n`);
}
