import type { WasmMemory } from './webassembly.js';

const PAGE_BYTES = 65_536;
const ZEROS = Buffer.alloc(PAGE_BYTES);

/** The memory of an engine before any script. Restoring compares every byte and overwrites the pages that differ. */
export class MemoryImage {
  private readonly length: number;
  /** By offset, without the pages of zeros. */
  private readonly pages = new Map<number, Buffer>();

  constructor(private readonly memory: WasmMemory) {
    const bytes = Buffer.from(memory.buffer);
    this.length = bytes.length;
    for (let at = 0; at < bytes.length; at += PAGE_BYTES)
      if (differs(bytes, at, ZEROS)) this.pages.set(at, Buffer.from(bytes.subarray(at, at + PAGE_BYTES)));
  }

  /** False when the memory has grown, because it cannot shrink. */
  restore(): boolean {
    const bytes = Buffer.from(this.memory.buffer);
    if (bytes.length !== this.length) return false;
    for (let at = 0; at < bytes.length; at += PAGE_BYTES) {
      const page = this.pages.get(at) ?? ZEROS;
      // Pages that were never written are zero and take no physical memory as long as they are only read.
      if (differs(bytes, at, page)) bytes.set(page, at);
    }
    return true;
  }
}

const differs = (bytes: Buffer, at: number, page: Buffer): boolean =>
  bytes.compare(page, 0, PAGE_BYTES, at, at + PAGE_BYTES) !== 0;
