import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DiskPace } from './disk-pace.js';
import { DiskSpace } from './disk-space.js';
import { adoptAbandonedSegments, type Marker, mark } from './abandoned-segments.js';
import { BufferPool } from './buffer-pool.js';
import { Segment } from './segment.js';

const SEGMENT_BYTES = 16 * 1024 * 1024;
/** Encoded in one go, which blocks other calls of the process. */
const WRITE_CHARS = 1024 * 1024;
const RETRY_MS = 500;
/** How long an append waits for a failing disk before it is rejected. */
const HOLD_MS = 5000;
const LAST_WRITE_MS = 2000;

interface PendingLine {
  line: string;
  since: number;
  written: () => void;
  refused: (error: unknown) => void;
}

/** The lines stay in the spool until `release`. */
export interface SpoolBatch {
  lines: string[];
  /** Of these, the lines that this process has appended itself. */
  appended: number;
  release(): Promise<void>;
}

/**
 * A queue of lines on disk. Memory holds only the lines being written or read, so reading may pause for any time. Files
 * of processes that died are taken over.
 */
export class Spool {
  private readonly pending: PendingLine[] = [];
  private readonly segments: Segment[] = [];
  /** Files that were taken over, whose lines do not count as this process's own. */
  private readonly adopted = new WeakSet<Segment>();
  private active: Segment | undefined;
  private writing: Promise<void> | undefined;
  private readonly toWrite = new BufferPool();
  private readonly toRead = new BufferPool();
  private count = 0;
  /** Serialises appending to, truncating and replacing the active file. */
  private turn: Promise<unknown> = Promise.resolve();
  private readonly disk: DiskSpace;
  private readonly pace = new DiskPace();

  private constructor(
    private readonly folder: string,
    private readonly owner: string,
    private readonly marker: Marker,
    private readonly failed: (error: unknown) => void,
  ) {
    this.disk = new DiskSpace(folder, owner);
  }

  static async open(folder: string, failed: (error: unknown) => void): Promise<Spool> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const owner = randomUUID();
    const spool = new Spool(folder, owner, await mark(folder, owner), failed);
    await spool.look();
    return spool;
  }

  /** Bytes that are not read yet. */
  get bytes(): number {
    return this.segments.reduce((sum, segment) => sum + segment.left, 0);
  }

  get isFull(): boolean {
    return this.disk.rejectsWrites;
  }

  /** Resolves once the line is in its file; rejects when the disk fails for some seconds. */
  append(line: string): Promise<void> {
    return new Promise((written, refused) => {
      this.pending.push({ line, since: Date.now(), written, refused });
      this.writing ??= this.write();
    });
  }

  private async write(): Promise<void> {
    while (this.pending.length > 0) {
      // Calls that end in one turn of the event loop share a write.
      await turnOfLoop();
      const group = this.group();
      try {
        await this.exclusively(() => this.appendAll(`${group.map(({ line }) => line).join('\n')}\n`));
        this.pending.splice(0, group.length);
        this.disk.writeSucceeded();
        for (const { written } of group) written();
      } catch (error) {
        this.writeFailed(error);
        this.refuseOverdue(error);
        if (this.pending.length > 0) await pause(RETRY_MS);
      }
    }
    // In the same turn as the last check of `pending`: a line appended in between would wait for the next append.
    this.writing = undefined;
  }

  private group(): PendingLine[] {
    let chars = 0;
    const end = this.pending.findIndex(({ line }) => (chars += line.length) > WRITE_CHARS);
    return this.pending.slice(0, end < 0 ? undefined : Math.max(1, end));
  }

  private async appendAll(lines: string): Promise<void> {
    for (;;) {
      const segment = await this.writable();
      await segment.append(this.toWrite.holding(lines));
      if (segment.isInPlace()) return;
      // This process was frozen and another one took its file over, perhaps before these lines were in it.
      this.adopted.add(segment);
      this.active = undefined;
      await this.marker.renew();
    }
  }

  private async writable(): Promise<Segment> {
    if (this.active && !this.active.isTorn && this.active.size < SEGMENT_BYTES) return this.active;
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    this.active = await this.opened(this.nextPath());
    return this.active;
  }

  private async opened(path: string): Promise<Segment> {
    const segment = await Segment.open(path, this.pace, (error) => this.writeFailed(error));
    this.segments.push(segment);
    return segment;
  }

  private writeFailed(error: unknown): void {
    this.disk.writeFailed();
    this.failed(error);
  }

  private refuseOverdue(error: unknown): void {
    const end = Date.now() - HOLD_MS;
    while (this.pending[0] && this.pending[0].since <= end) this.pending.shift()?.refused(error);
  }

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

  private finish(segment: Segment): Promise<void> {
    return this.exclusively(async () => {
      if (segment.left > 0 || !this.segments.includes(segment)) return;
      if (segment === this.active && !segment.isTorn) {
        if (segment.size > 0) await segment.clear();
        return;
      }
      if (segment === this.active) this.active = undefined;
      this.segments.splice(this.segments.indexOf(segment), 1);
      await segment.delete();
    });
  }

  /**
   * Renews the heartbeat of this process, measures the disk and takes over the files of processes that died. Returns
   * the number of these files.
   */
  async look(): Promise<number> {
    await this.disk.probe();
    const paths = await adoptAbandonedSegments(this.folder, this.marker, () => this.nextPath());
    for (const path of paths) this.adopted.add(await this.opened(path));
    return paths.length;
  }

  /** Files with lines stay in the folder for the next process that uses it. */
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

const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
