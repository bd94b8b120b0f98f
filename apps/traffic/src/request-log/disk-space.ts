import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Reserved for the records of open calls when the disk becomes full. */
const MIN_FREE_BYTES = 32 * 1024 * 1024;
const PROBE_BYTES = 64 * 1024;

/**
 * Whether the disk of a folder accepts records. A failed write or too little free space closes it until a probe
 * succeeds, so that a call is refused before its provider is called.
 */
export class DiskSpace {
  private failed = false;
  private short = false;

  constructor(
    private readonly folder: string,
    private readonly owner: string,
  ) {}

  get rejectsWrites(): boolean {
    return this.failed || this.short;
  }

  writeFailed(): void {
    this.failed = true;
  }

  writeSucceeded(): void {
    this.failed = false;
  }

  async probe(): Promise<void> {
    const free = await freeBytes(this.folder);
    this.short = free !== null && free < MIN_FREE_BYTES;
    if (this.failed && !this.short) this.failed = !(await this.takesBytes());
  }

  /** Writes a test file, because quotas, read-only mounts and broken devices do not affect the free space. */
  private async takesBytes(): Promise<boolean> {
    const path = join(this.folder, `${this.owner}.probe`);
    try {
      const file = await open(path, 'w', 0o600);
      try {
        await file.write(Buffer.alloc(PROBE_BYTES));
        await file.sync();
      } finally {
        await file.close();
      }
      return true;
    } catch {
      return false;
    } finally {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }
}

/** Null when the file system does not report it. */
async function freeBytes(folder: string): Promise<number | null> {
  const found = await statfs(folder).catch(() => null);
  return found && found.blocks > 0 ? found.bavail * found.bsize : null;
}
