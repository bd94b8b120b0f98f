import { readSync, writeSync } from 'node:fs';
import {
  contentLength,
  LENGTH_BYTES,
  decodeContent,
  encodeFrame,
  type Frame,
  type FromChild,
  type ToChild,
} from './frames.js';

const INPUT = 0;
const OUTPUT = 1;
const PAUSE_MS = 2;

/**
 * The only connection of a child process: frames on its standard input and output. Reading and writing block: a script
 * whose host calls return directly needs no event loop, and a parent that reads slowly slows the script down.
 */
export class Channel {
  private readonly pause = new Int32Array(new SharedArrayBuffer(4));

  write(head: FromChild, body?: string): void {
    this.writeBytes(encodeFrame(head, body));
  }

  /** Null when the parent has closed the channel. */
  read(): Frame<ToChild> | null {
    const length = this.bytes(LENGTH_BYTES);
    const content = length && this.bytes(contentLength(length));
    return content && decodeContent<ToChild>(content);
  }

  /** Raw bytes with a length prefix, such as the snapshot of an interpreter. */
  readBytes(): Buffer {
    const length = this.bytes(LENGTH_BYTES);
    const bytes = length && this.bytes(contentLength(length));
    if (!bytes) throw new Error('the parent has closed the channel');
    return bytes;
  }

  writeBytes(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += this.writeFrom(bytes, at, bytes.length - at);
  }

  /** Reads at least one byte; 0 when the parent has closed the channel. */
  readInto(buffer: Uint8Array, offset: number, length: number): number {
    return this.attempt(() => readSync(INPUT, buffer, offset, length, null));
  }

  writeFrom(buffer: Uint8Array, offset: number, length: number): number {
    return this.attempt(() => writeSync(OUTPUT, buffer, offset, length));
  }

  /** Takes no processor time. */
  rest(ms: number): void {
    Atomics.wait(this.pause, 0, 0, ms);
  }

  private bytes(count: number): Buffer | null {
    const bytes = Buffer.allocUnsafe(count);
    let at = 0;
    while (at < count) {
      const read = this.readInto(bytes, at, count - at);
      if (read === 0) return null;
      at += read;
    }
    return bytes;
  }

  /** Retries while the descriptor is not ready: the parent may have made it non-blocking. */
  private attempt(operation: () => number): number {
    for (;;) {
      try {
        return operation();
      } catch (error) {
        if ((error as { code?: string }).code !== 'EAGAIN') throw error;
        this.rest(PAUSE_MS);
      }
    }
  }
}
