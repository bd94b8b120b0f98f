export type ToChild =
  /** Body: the script, followed by the argument as JSON text. */
  | { kind: 'run'; language: string; entry: string; memory_mb: number; script_length: number }
  /** Body: the script, followed by the separate script of `transform_session`, if any. */
  | { kind: 'compile'; language: string; entry: string; script_length: number; has_second: boolean }
  | { kind: 'reply'; id: number };

/** Bodies are JSON text; those of `log` and `failed` are messages. */
export type FromChild =
  /** `version` is that of the interpreter. */
  | { kind: 'ready'; version: string }
  | { kind: 'call'; id: number; member: string }
  | { kind: 'log'; level: string; timestamp: number }
  | { kind: 'emit' }
  | { kind: 'completed'; cpu_ms: number }
  | { kind: 'failed'; error_code: 'script_error' | 'sandbox' | 'script_invalid'; line?: number; cpu_ms: number }
  | { kind: 'compiled' };

export interface Frame<T> {
  head: T;
  body: string;
}

/** Of the JSON text of an event, in UTF-8. */
export const MAX_EVENT_BYTES = 64 * 1024;
/** To which a child cuts messages of scripts, in characters; the parent cuts them further. */
export const MAX_MESSAGE_LENGTH = 16 * 1024;

export const LENGTH_BYTES = 4;
const LINE_BREAK = 10;

/** A frame: length, head as one line of JSON, body. */
export function encodeFrame(head: ToChild | FromChild, body = ''): Buffer {
  const content = Buffer.from(`${JSON.stringify(head)}\n${body}`);
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + content.length);
  frame.writeUInt32LE(content.length);
  content.copy(frame, LENGTH_BYTES);
  return frame;
}

export const contentLength = (bytes: Buffer): number => bytes.readUInt32LE();

/** Throws when the content is not a frame. */
export function decodeContent<T>(content: Buffer): Frame<T> {
  const end = content.indexOf(LINE_BREAK);
  if (end < 0) throw new Error('a frame has no head');
  return { head: JSON.parse(content.toString('utf8', 0, end)) as T, body: content.toString('utf8', end + 1) };
}

/** Throws for a frame longer than `maxBytes`: its sender is not trusted. */
export class FrameReader<T> {
  private chunks: Buffer[] = [];
  private length = 0;

  constructor(private readonly maxBytes: number) {}

  *add(chunk: Buffer): Generator<Frame<T>> {
    this.chunks.push(chunk);
    this.length += chunk.length;
    for (;;) {
      if (this.length < LENGTH_BYTES) return;
      if ((this.chunks[0] as Buffer).length < LENGTH_BYTES) this.join();
      const needed = contentLength(this.chunks[0] as Buffer);
      if (needed > this.maxBytes) throw new Error(`a frame has ${needed} bytes`);
      if (this.length < LENGTH_BYTES + needed) return;
      this.join();
      const [all] = this.chunks as [Buffer];
      const end = LENGTH_BYTES + needed;
      this.chunks = [all.subarray(end)];
      this.length -= end;
      yield decodeContent<T>(all.subarray(LENGTH_BYTES, end));
    }
  }

  private join(): void {
    if (this.chunks.length > 1) this.chunks = [Buffer.concat(this.chunks)];
  }
}
