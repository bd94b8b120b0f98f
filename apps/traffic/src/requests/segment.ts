import { type FileHandle, open, unlink } from 'node:fs/promises';
import type { ReusedMemory } from './reused-memory.js';

const FIRST_READ = 256 * 1024;
const LINE_END = 10;
/** Lets a flush cover more than one write; the power may fail a moment before or after. */
const GATHER_MS = 10;

/** One file of the spool: lines are appended at its end and taken from its beginning. */
export class Segment {
  /** Bytes of complete lines; beyond them is at most the torn rest of a failed write. */
  private written: number;
  private taken = 0;
  private syncing: Promise<void> = Promise.resolve();
  private dirty = false;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
    size: number,
  ) {
    this.written = size;
  }

  static async open(path: string): Promise<Segment> {
    // Prompts and answers are nobody's business but ours.
    const file = await open(path, 'a+', 0o600);
    return new Segment(path, file, (await file.stat()).size);
  }

  get size(): number {
    return this.written;
  }

  get left(): number {
    return this.written - this.taken;
  }

  /** Appends whole lines; they survive the death of this process once this resolves, and of the machine soon after. */
  async append(lines: Buffer): Promise<void> {
    let done = 0;
    while (done < lines.length) done += (await this.file.write(lines, done)).bytesWritten;
    this.written += lines.length;
    this.syncSoon();
  }

  /** Flushes to the disk off everybody's path; one flush covers all that was appended before it began. */
  private syncSoon(): void {
    if (this.dirty) return;
    this.dirty = true;
    this.syncing = this.syncing.then(async () => {
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      this.dirty = false;
      await this.file.datasync().catch(() => undefined);
    });
  }

  /** The next complete lines of about `bytes`, at least one, with the position behind them. */
  async read(bytes: number, memory: ReusedMemory): Promise<{ lines: string[]; end: number }> {
    for (let size = Math.min(bytes, FIRST_READ); ; size *= 2) {
      const wanted = Math.min(size, this.left);
      const { buffer, bytesRead } = await this.file.read(memory.of(wanted), 0, wanted, this.taken);
      const cut = buffer.subarray(0, bytesRead).lastIndexOf(LINE_END);
      if (cut >= 0) {
        const lines = buffer.toString('utf8', 0, cut).split('\n');
        return { lines, end: this.taken + cut + 1 };
      }
      // The end of a file whose writer died in the middle of a line, before anybody was told that it is kept.
      if (bytesRead < wanted || wanted === this.left) return { lines: [], end: this.written };
    }
  }

  /** What lies before `end` is in the database. */
  release(end: number): void {
    this.taken = end;
  }

  /** Empties a file of which everything is taken. */
  async clear(): Promise<void> {
    await this.file.truncate(0);
    this.written = 0;
    this.taken = 0;
  }

  async close(): Promise<void> {
    await this.syncing;
    await this.file.close();
  }

  async delete(): Promise<void> {
    await this.close();
    // Another process may have taken over the file while this one was stopped; then it is deleted there.
    await unlink(this.path).catch(() => undefined);
  }
}
