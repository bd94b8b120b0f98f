import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { adoptOrphans, type Marker, mark } from './orphans.js';
import { ReusedMemory } from './reused-memory.js';
import { Segment } from './segment.js';

const SEGMENT_BYTES = 16 * 1024 * 1024;
const WRITE_CHARS = 4 * 1024 * 1024;
const RETRY_MS = 500;
const LAST_WRITE_MS = 2000;

interface Waiting {
  line: string;
  written: () => void;
}

/** Lines taken from the spool; they stay there until `release`. */
export interface SpoolBatch {
  lines: string[];
  /** How many of them this process has appended itself. */
  appended: number;
  release(): Promise<void>;
}

/**
 * A queue of lines on disk. The files are the queue: nothing is held in memory but what is being written or read, so
 * the reader may be away for any time. Files of processes that died are taken over.
 */
export class Spool {
  private readonly pending: Waiting[] = [];
  private readonly segments: Segment[] = [];
  /** Those of processes that died. */
  private readonly adopted = new WeakSet<Segment>();
  private active: Segment | undefined;
  private writing: Promise<void> | undefined;
  private readonly toWrite = new ReusedMemory();
  private readonly toRead = new ReusedMemory();
  private failing = false;
  private count = 0;
  /** Appending, emptying and replacing the active file happen one after the other. */
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly folder: string,
    private readonly owner: string,
    private readonly marker: Marker,
    private readonly failed: (error: unknown) => void,
  ) {}

  static async open(folder: string, failed: (error: unknown) => void): Promise<Spool> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const owner = randomUUID();
    const spool = new Spool(folder, owner, await mark(folder, owner), failed);
    await spool.adopt();
    return spool;
  }

  /** Bytes that wait to be taken. */
  get bytes(): number {
    return this.segments.reduce((sum, segment) => sum + segment.left, 0);
  }

  /** True while the disk takes nothing; what comes now is held in memory. */
  get isFailing(): boolean {
    return this.failing;
  }

  /** Appends a line. It is in the file when this resolves, unless the disk fails: then it follows as soon as it can. */
  append(line: string): Promise<void> {
    return new Promise((written) => {
      this.pending.push({ line, written });
      this.writing ??= this.write().finally(() => (this.writing = undefined));
    });
  }

  private async write(): Promise<void> {
    while (this.pending.length > 0) {
      const group = this.group();
      try {
        await this.exclusively(() => this.appendAll(`${group.map(({ line }) => line).join('\n')}\n`));
        this.pending.splice(0, group.length);
        this.failing = false;
      } catch (error) {
        this.failing = true;
        this.failed(error);
        // A torn rest may lie at the end of this file: nothing is added behind it.
        this.active = undefined;
      }
      for (const { written } of group) written();
      if (this.failing) await pause(RETRY_MS);
    }
  }

  /** What waits now, up to a limit, goes into one write. */
  private group(): Waiting[] {
    let chars = 0;
    const end = this.pending.findIndex(({ line }) => (chars += line.length) > WRITE_CHARS);
    return this.pending.slice(0, end < 0 ? undefined : Math.max(1, end));
  }

  private async appendAll(lines: string): Promise<void> {
    if (!this.active || this.active.size >= SEGMENT_BYTES) {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      this.active = await Segment.open(this.nextPath());
      this.segments.push(this.active);
    }
    await this.active.append(this.toWrite.holding(lines));
  }

  /** The next lines of about `bytes`; null when nothing waits. */
  async next(bytes: number): Promise<SpoolBatch | null> {
    for (const segment of [...this.segments]) {
      if (segment.left === 0) {
        await this.finish(segment);
        continue;
      }
      const { lines, end } = await segment.read(bytes, this.toRead);
      const release = async () => {
        segment.release(end);
        if (segment.left === 0) await this.finish(segment);
      };
      return { lines, appended: this.adopted.has(segment) ? 0 : lines.length, release };
    }
    return null;
  }

  /** Nothing is left of a file: it is deleted, or emptied when lines are still added to it. */
  private finish(segment: Segment): Promise<void> {
    return this.exclusively(async () => {
      if (segment.left > 0) return;
      if (segment === this.active) {
        if (segment.size > 0) await segment.clear();
        return;
      }
      this.segments.splice(this.segments.indexOf(segment), 1);
      await segment.delete();
    });
  }

  /** Shows that this process lives, and takes over the files of those that do not. */
  async adopt(): Promise<number> {
    const paths = await adoptOrphans(this.folder, this.marker, () => this.nextPath());
    for (const path of paths) {
      const segment = await Segment.open(path);
      this.adopted.add(segment);
      this.segments.push(segment);
    }
    return paths.length;
  }

  /** Gives everything that is left to whoever comes next. */
  async close(): Promise<void> {
    await Promise.race([this.writing, pause(LAST_WRITE_MS)]);
    for (const segment of [...this.segments]) {
      if (segment.left === 0) await segment.delete();
      else await segment.close();
    }
    await this.marker.remove();
  }

  private nextPath(): string {
    return join(this.folder, `${this.owner}.${++this.count}.log`);
  }

  private exclusively<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = this.turn.then(act);
    this.turn = result.catch(() => undefined);
    return result;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
