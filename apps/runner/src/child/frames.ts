/** What the parent sends to a child process. */
export type ToChild =
  /** Body: the script, and behind it the argument as JSON text. */
  | { kind: 'run'; language: string; entry: string; memory_mb: number; script_length: number }
  /** Body: the script, and behind it the separate script of `transform_session`, if there is one. */
  | { kind: 'compile'; language: string; entry: string; script_length: number; has_second: boolean }
  /** Body: the reply to a host call as JSON text. */
  | { kind: 'reply'; id: number };

/** What a child process sends to its parent. */
export type FromChild =
  /** The child is ready; `version` is that of its interpreter. */
  | { kind: 'ready'; version: string }
  /** Body: the arguments as JSON text. */
  | { kind: 'call'; id: number; member: string }
  /** Body: the message. */
  | { kind: 'log'; level: string; timestamp: number }
  /** Body: the event as JSON text. */
  | { kind: 'emit' }
  /** Body: the output as JSON text. */
  | { kind: 'completed'; cpu_ms: number }
  /** Body: the message. */
  | { kind: 'failed'; error_code: 'script_error' | 'sandbox' | 'script_invalid'; line?: number; cpu_ms: number }
  /** Body: what the compiler found, as JSON text. */
  | { kind: 'compiled' };

/** A message with the text that belongs to it. */
export interface Frame<T> {
  head: T;
  body: string;
}

export const LENGTH_BYTES = 4;
const LINE_BREAK = 10;

/** A frame as bytes: its length, its head as one line of JSON, its body. */
export function encodeFrame(head: ToChild | FromChild, body = ''): Buffer {
  const content = Buffer.from(`${JSON.stringify(head)}\n${body}`);
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + content.length);
  frame.writeUInt32LE(content.length);
  content.copy(frame, LENGTH_BYTES);
  return frame;
}

/** The length of the content that follows. */
export const contentLength = (bytes: Buffer): number => bytes.readUInt32LE();

/** Decodes the content of a frame; throws when it is not one. */
export function decodeContent<T>(content: Buffer): Frame<T> {
  const end = content.indexOf(LINE_BREAK);
  if (end < 0) throw new Error('a frame has no head');
  return { head: JSON.parse(content.toString('utf8', 0, end)) as T, body: content.toString('utf8', end + 1) };
}

/** Cuts a byte stream into frames. A frame that is longer than `maxBytes` throws: its sender is not trusted. */
export class FrameReader<T> {
  private chunks: Buffer[] = [];
  private length = 0;

  constructor(private readonly maxBytes: number) {}

  /** The frames that are complete with these bytes. */
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
