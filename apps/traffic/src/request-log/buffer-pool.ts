const PIECE = 65_536;
/** Longer texts are measured first; for others three bytes per character are reserved. */
const LONG_TEXT = 131_072;
const BYTES_PER_UNIT = 3;
/** Larger buffers are not kept. */
const MAX_KEPT = 1024 * 1024;

/** The content of the buffer is valid until the next call of `of`. */
export class BufferPool {
  private memory = Buffer.alloc(0);

  of(size: number): Buffer {
    if (size > MAX_KEPT) return Buffer.allocUnsafeSlow(size);
    if (this.memory.length < size) this.memory = Buffer.allocUnsafeSlow(Math.ceil(size / PIECE) * PIECE);
    return this.memory.subarray(0, size);
  }

  holding(text: string): Buffer {
    const bytes = this.of(text.length > LONG_TEXT ? Buffer.byteLength(text) : text.length * BYTES_PER_UNIT);
    return bytes.subarray(0, bytes.write(text));
  }
}
