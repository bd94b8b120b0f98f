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
 * The only connection of a child process: frames on its standard input and output. Reading and writing block, so that
 * a script whose host calls return directly needs no event loop, and a parent that reads slowly slows the script down.
 */
export class Channel {
  private readonly pause = new Int32Array(new SharedArrayBuffer(4));

  write(head: FromChild, body?: string): void {
    const frame = encodeFrame(head, body);
    this.writeBytes(frame);
  }

  /** The next frame; null when the parent has closed the channel. */
  read(): Frame<ToChild> | null {
    const length = this.bytes(LENGTH_BYTES);
    const content = length && this.bytes(contentLength(length));
    return content && decodeContent<ToChild>(content);
  }

  /** Bytes behind their length, such as what an interpreter starts with. */
  readBytes(): Buffer {
    const length = this.bytes(LENGTH_BYTES);
    const bytes = length && this.bytes(contentLength(length));
    if (!bytes) throw new Error('the parent has closed the channel');
    return bytes;
  }

  /** Writes bytes as they are. */
  writeBytes(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += this.writeFrom(bytes, at, bytes.length - at);
  }

  /** Reads what has arrived, at least one byte; 0 when the parent has closed the channel. */
  readInto(buffer: Uint8Array, offset: number, length: number): number {
    return this.attempt(() => readSync(INPUT, buffer, offset, length, null));
  }

  /** Writes as much as fits, at least one byte. */
  writeFrom(buffer: Uint8Array, offset: number, length: number): number {
    return this.attempt(() => writeSync(OUTPUT, buffer, offset, length));
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

  /** Repeats an operation on a descriptor that is not ready, when the parent has made it non-blocking. */
  private attempt(operation: () => number): number {
    for (;;) {
      try {
        return operation();
      } catch (error) {
        if ((error as { code?: string }).code !== 'EAGAIN') throw error;
        Atomics.wait(this.pause, 0, 0, PAUSE_MS);
      }
    }
  }
}
