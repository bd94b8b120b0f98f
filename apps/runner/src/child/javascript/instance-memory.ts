import { type WasmMemory, wasmMemory } from './webassembly.js';

const PAGE_BYTES = 65_536;
const ZEROS = Buffer.alloc(PAGE_BYTES);
const PAGES_PER_MIB = 16;
/** The memory that the engine declares; no instance can have less. */
const INITIAL_PAGES = 256;

/**
 * The memory of one instance after the other. A memory is overwritten with zeros before the next instance gets it: to
 * allocate a new one costs twice the processor time of a short script, in page faults and garbage collections.
 */
export class InstanceMemory {
  private last: { memory: WasmMemory; memoryMb: number } | undefined;

  /** A memory of zeros that can grow to a size. The instance that had the last one must not be used again. */
  next(memoryMb: number): WasmMemory {
    const { last } = this;
    // One that has grown cannot shrink, and is dropped.
    if (last?.memoryMb === memoryMb && last.memory.buffer.byteLength === INITIAL_PAGES * PAGE_BYTES) {
      zero(Buffer.from(last.memory.buffer));
      return last.memory;
    }
    const memory = wasmMemory(INITIAL_PAGES, Math.max(memoryMb * PAGES_PER_MIB, INITIAL_PAGES));
    this.last = { memory, memoryMb };
    return memory;
  }
}

/** Writes only the pages that are not zero: the others take no memory of the system, and stay so. */
function zero(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; at += PAGE_BYTES)
    if (bytes.compare(ZEROS, 0, PAGE_BYTES, at, at + PAGE_BYTES) !== 0) bytes.fill(0, at, at + PAGE_BYTES);
}
