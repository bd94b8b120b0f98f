const BYTE_ORDER_MARK = '\ufeff';
const PREFIX = 'data: ';

/** Without data it is not an event for browsers. */
export interface Frame {
  id: string | null;
  event: string | null;
  data: string | null;
}

/** For text that arrives in chunks, cut at any byte. */
export interface ChunkDecoder {
  write(bytes: Uint8Array): string;
  end(): string;
}

/** Works in every runtime. */
export function webDecoder(): ChunkDecoder {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}

/**
 * Parses server-sent events for any chunk boundaries and line ends. Every character is scanned once: an unfinished line
 * is only appended to, and joined when its end arrives.
 */
export class ServerSentEvents {
  private begun = false;
  /** A CR at the end of a chunk may be the first half of a CRLF. */
  private endsWithCr = false;
  /** The unfinished line. */
  private rest = '';
  private data: string[] = [];
  private dataChars = 0;
  private id: string | null = null;
  private event: string | null = null;

  /** `maxChars` is the longest frame. */
  constructor(
    private readonly maxChars: number,
    private readonly decoder: ChunkDecoder = webDecoder(),
  ) {}

  /** Frames that end in this chunk; throws a RangeError for one that is too long. */
  push(chunk: Uint8Array): Frame[] {
    const text = (this.endsWithCr ? '\r' : '') + this.decoded(chunk);
    if (this.isBetweenFrames && text.length <= this.maxChars && isOneEvent(text))
      return [{ id: null, event: null, data: text.slice(PREFIX.length, -2) }];
    this.endsWithCr = text.endsWith('\r');
    const lines = linesOf(this.endsWithCr ? text.slice(0, -1) : text);
    const last = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = this.rest + lines[0];
      this.rest = '';
    }
    this.rest += last;
    this.requireShort();
    return this.framesOf(lines);
  }

  /** The frame that the end of the stream completes: some servers omit the final empty line. */
  end(): Frame[] {
    const frames = this.framesOf(linesOf(this.rest + (this.endsWithCr ? '\r' : '') + this.decoder.end()));
    this.rest = '';
    return this.data.length > 0 ? [...frames, this.taken()] : frames;
  }

  private get isBetweenFrames(): boolean {
    return this.rest === '' && !this.hasFields;
  }

  private get hasFields(): boolean {
    return this.data.length > 0 || this.id !== null || this.event !== null;
  }

  private decoded(chunk: Uint8Array): string {
    const text = this.decoder.write(chunk);
    if (this.begun || text === '') return text;
    this.begun = true;
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }

  private framesOf(lines: readonly string[]): Frame[] {
    const frames: Frame[] = [];
    for (const line of lines) {
      if (line !== '') this.field(line);
      else if (this.hasFields) frames.push(this.taken());
    }
    return frames;
  }

  /** Ignores comments and unknown fields. */
  private field(line: string): void {
    const at = line.indexOf(':');
    const name = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? '' : line.slice(line[at + 1] === ' ' ? at + 2 : at + 1);
    if (name === 'id' || name === 'event') this[name] = value;
    if (name !== 'data') return;
    this.data.push(value);
    this.dataChars += line.length;
    this.requireShort();
  }

  private requireShort(): void {
    if (this.rest.length + this.dataChars > this.maxChars) throw new RangeError('an event of the stream is too long');
  }

  private taken(): Frame {
    const { id, event } = this;
    const data = this.data.length > 1 ? this.data.join('\n') : (this.data[0] ?? null);
    this.id = this.event = null;
    this.data = [];
    this.dataChars = 0;
    return { id, event, data };
  }
}

/** Most providers send each token like this. */
const isOneEvent = (text: string): boolean =>
  text.startsWith(PREFIX) && text.indexOf('\n') === text.length - 2 && text.endsWith('\n') && !text.includes('\r');

const linesOf = (text: string): string[] => (text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n'));
