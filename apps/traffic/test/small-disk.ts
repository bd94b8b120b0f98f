import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const STEPS = [1024 * 1024, 64 * 1024, 4096];

/** A file system of a few megabytes, in memory. */
export class SmallDisk {
  private constructor(readonly dir: string) {}

  /** Null when this user may not mount. */
  static mount(megabytes: number): SmallDisk | null {
    const dir = mkdtempSync(join(tmpdir(), 'small-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', dir], { stdio: 'ignore' });
      return new SmallDisk(dir);
    } catch {
      process.stderr.write('a test needs the right to mount a file system and is skipped\n');
      return null;
    }
  }

  /** Takes so many bytes, or all there are. */
  async fill(bytes = Infinity): Promise<void> {
    const file = await open(this.filler, 'w');
    try {
      let left = bytes;
      for (const step of STEPS) while (left >= step && (await written(file, step))) left -= step;
    } finally {
      await file.close();
    }
  }

  free(): Promise<void> {
    return rm(this.filler, { force: true });
  }

  async unmount(): Promise<void> {
    // Lazily: a process that was killed a moment ago may still hold a file.
    execFileSync('umount', ['-l', this.dir]);
    await rmdir(this.dir);
  }

  private get filler(): string {
    return join(this.dir, 'filler');
  }
}

async function written(file: Awaited<ReturnType<typeof open>>, bytes: number): Promise<boolean> {
  try {
    return (await file.write(Buffer.alloc(bytes, 1))).bytesWritten === bytes;
  } catch {
    return false;
  }
}
