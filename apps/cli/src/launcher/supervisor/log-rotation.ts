import { appendFileSync, closeSync, fstatSync, ftruncateSync, openSync, readSync, renameSync } from 'node:fs';
import { copyFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface LogLimits {
  bytes: number;
  /** Copies per log, as `<name>.log.1` (the latest) and so on. */
  older: number;
}

const LIMITS: LogLimits = { bytes: 16 * 1024 * 1024, older: 4 };
const INTERVAL_MS = 5000;
const BLOCK = 65_536;

/**
 * Synchronous, so that this process appends nothing between the copy and the truncation. What a service appends in that
 * moment is lost.
 */
function moveRest(file: string, copy: string): void {
  const [from, to] = [openSync(file, 'r+'), openSync(copy, 'a', 0o600)];
  try {
    const block = Buffer.alloc(BLOCK);
    for (let at = fstatSync(to).size; ;) {
      const read = readSync(from, block, 0, BLOCK, at);
      if (read === 0) break;
      appendFileSync(to, block.subarray(0, read));
      at += read;
    }
    ftruncateSync(from, 0);
  } finally {
    closeSync(from);
    closeSync(to);
  }
}

function empty(file: string): void {
  const log = openSync(file, 'r+');
  ftruncateSync(log, 0);
  closeSync(log);
}

/**
 * A log is copied and truncated in place, because services keep it open in append mode. On a disk without space for the
 * copy old lines are discarded.
 */
export class LogRotation {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly directory: string,
    private readonly log: (text: string) => void,
    private readonly limits: LogLimits = LIMITS,
  ) {}

  start(): void {
    this.timer = setInterval(() => void (this.running = this.running.then(() => this.pass())), INTERVAL_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  async pass(): Promise<void> {
    const names = await readdir(this.directory).catch(() => []);
    for (const name of names.filter((each) => each.endsWith('.log'))) {
      const file = join(this.directory, name);
      try {
        if ((await stat(file)).size > this.limits.bytes) await this.rotate(file);
      } catch (error) {
        this.log(`${file} could not be rotated: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }

  private async rotate(file: string): Promise<void> {
    const { older } = this.limits;
    const copy = `${file}.copy`;
    try {
      await copyFile(file, copy);
      moveRest(file, copy);
    } catch (error) {
      await rm(copy, { force: true });
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      await rm(`${file}.${older}`, { force: true });
      empty(file);
      return this.log(`${file} was emptied: there is no space for a copy of it`);
    }
    for (let at = older; at > 1; at--) await rename(`${file}.${at - 1}`, `${file}.${at}`).catch(() => undefined);
    renameSync(copy, `${file}.1`);
  }
}
