import type { WasmMemory } from './webassembly.js';

const PAGE_BYTES = 65_536;
const ZEROS = Buffer.alloc(PAGE_BYTES);

/**
 * The content of an engine's memory before any script, to which it is restored after each run: every byte of the memory
 * is compared, and pages that differ are overwritten.
 */
export class MemoryImage {
  private readonly length: number;
  /** The pages that are not zero, by their offset. */
  private readonly pages = new Map<number, Buffer>();

  constructor(private readonly memory: WasmMemory) {
    const bytes = Buffer.from(memory.buffer);
    this.length = bytes.length;
    for (let at = 0; at < bytes.length; at += PAGE_BYTES)
      if (differs(bytes, at, ZEROS)) this.pages.set(at, Buffer.from(bytes.subarray(at, at + PAGE_BYTES)));
  }

  /** Restores the memory; false when it has grown, because it cannot shrink. */
  restore(): boolean {
    const bytes = Buffer.from(this.memory.buffer);
    if (bytes.length !== this.length) return false;
    for (let at = 0; at < bytes.length; at += PAGE_BYTES) {
      const page = this.pages.get(at) ?? ZEROS;
      // Pages that nothing has written are zero, and take no memory of the system as long as they are only read.
      if (differs(bytes, at, page)) bytes.set(page, at);
    }
    return true;
  }
}

const differs = (bytes: Buffer, at: number, page: Buffer): boolean =>
  bytes.compare(page, 0, PAGE_BYTES, at, at + PAGE_BYTES) !== 0;
