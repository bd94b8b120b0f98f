const PIECE = 65_536;
/** Texts longer than this are measured first; for others three bytes a character are kept free. */
const LONG_TEXT = 131_072;
const BYTES_PER_UNIT = 3;
/** What is larger is given back. */
const MAX_KEPT = 1024 * 1024;

/** Memory for one piece of bytes at a time: it holds the next one as soon as that is asked for. */
export class BufferPool {
  private memory = Buffer.alloc(0);

  /** As many bytes, of any content. */
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
