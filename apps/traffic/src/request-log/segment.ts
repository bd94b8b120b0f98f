import { statSync, writeSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { syncFolder } from './folder-sync.js';
import type { BufferPool } from './buffer-pool.js';
import type { DiskPace } from './disk-pace.js';

const LINE_END = 10;
/** Delay of a flush, so that it covers several writes. */
const GATHER_MS = 10;

/** One file of the spool: lines are appended at its end and read from its beginning. */
export class Segment {
  /** Bytes of complete lines; only a torn line of a failed write can follow. */
  private written: number;
  private released = 0;
  private syncing: Promise<void> = Promise.resolve();
  private dirty = false;
  private torn = false;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
    private readonly inode: bigint,
    size: number,
    private readonly pace: DiskPace,
    private readonly syncFailed: (error: unknown) => void,
  ) {
    this.written = size;
  }

  /** When this resolves, the entry in its folder is flushed. */
  static async open(path: string, pace: DiskPace, syncFailed: (error: unknown) => void): Promise<Segment> {
    // Contains prompts and answers, so only this user may read it.
    const file = await open(path, 'a+', 0o600);
    try {
      await syncFolder(dirname(path));
      const { ino, size } = await file.stat({ bigint: true });
      return new Segment(path, file, ino, Number(size), pace, syncFailed);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get size(): number {
    return this.written;
  }

  get left(): number {
    return this.written - this.released;
  }

  /** True when a torn line could not be removed or a flush failed: no line may be appended to this file. */
  get isTorn(): boolean {
    return this.torn;
  }

  /**
   * Appends complete lines, or throws and leaves the file unchanged. They survive the death of this process once this
   * resolves, and of the machine after the next flush.
   */
  async append(lines: Buffer): Promise<void> {
    try {
      let done = 0;
      while (done < lines.length) done += await this.write(lines, done);
    } catch (error) {
      await this.file.truncate(this.written).catch(() => (this.torn = true));
      throw error;
    }
    this.written += lines.length;
    this.syncSoon();
  }

  private async write(lines: Buffer, from: number): Promise<number> {
    if (!this.pace.allows(lines.length)) return (await this.file.write(lines, from)).bytesWritten;
    return this.pace.timed(() => writeSync(this.file.fd, lines, from));
  }

  /**
   * False once another process has renamed or deleted this file. Lines that were appended before a check that returns
   * true are read by every process that takes the file over later.
   *
   * Synchronous: every answer waits for it, and the kernel knows the name of an open file without the disk.
   */
  isInPlace(): boolean {
    try {
      return statSync(this.path, { bigint: true, throwIfNoEntry: false })?.ino === this.inode;
    } catch {
      return false;
    }
  }

  /** In the background; one flush covers all lines that were appended before it began. */
  private syncSoon(): void {
    if (this.dirty) return;
    this.dirty = true;
    this.syncing = this.syncing.then(async () => {
      await pause(GATHER_MS);
      this.dirty = false;
      this.pace.flushBegins();
      await this.file.datasync().catch((error: unknown) => {
        this.torn = true;
        this.syncFailed(error);
      });
      this.pace.flushEnded();
    });
  }

  /** About `bytes`, at least one line, with the position after them. */
  async read(bytes: number, memory: BufferPool): Promise<{ lines: string[]; end: number }> {
    for (let size = bytes; ; size *= 2) {
      const wanted = Math.min(size, this.left);
      const { buffer, bytesRead } = await this.file.read(memory.of(wanted), 0, wanted, this.released);
      const cut = buffer.subarray(0, bytesRead).lastIndexOf(LINE_END);
      if (cut >= 0) {
        const lines = buffer.toString('utf8', 0, cut).split('\n');
        return { lines, end: this.released + cut + 1 };
      }
      // The end of a file whose writer died in the middle of a line, before the write was acknowledged.
      if (bytesRead < wanted || wanted === this.left) return { lines: [], end: this.written };
    }
  }

  release(end: number): void {
    this.released = Math.max(this.released, end);
  }

  /** Only for a file whose lines are all stored. */
  async clear(): Promise<void> {
    await this.file.truncate(0);
    this.written = 0;
    this.released = 0;
  }

  async close(): Promise<void> {
    await this.syncing;
    await this.file.close();
  }

  async delete(): Promise<void> {
    await this.close();
    // Another process may have taken the file over while this one was stopped; it deletes the file then.
    await unlink(this.path).catch(() => undefined);
  }
}
