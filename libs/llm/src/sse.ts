import { StringDecoder } from 'node:string_decoder';

const MAX_EVENT_CHARS = 4_000_000;
const BYTE_ORDER_MARK = '\ufeff';
const PREFIX = 'data: ';

/**
 * Reads a server-sent stream: the `data` of each event, for any chunk boundaries and line ends. Every character is
 * scanned once: an unfinished line is only appended to, and joined when its end arrives.
 */
export class ServerSentEvents {
  private readonly decoder = new StringDecoder('utf8');
  private begun = false;
  /** A CR at the end of a chunk may be the first half of a CRLF. */
  private endsWithCr = false;
  /** The unfinished line, without a line end. */
  private rest = '';
  private data: string[] = [];
  private dataChars = 0;

  /** Returns the events that end in this chunk; throws a RangeError for one that is too long. */
  push(chunk: Uint8Array): string[] {
    const text = (this.endsWithCr ? '\r' : '') + this.decoded(chunk);
    if (this.rest === '' && this.data.length === 0 && isOneEvent(text)) return [text.slice(PREFIX.length, -2)];
    this.endsWithCr = text.endsWith('\r');
    const lines = linesOf(this.endsWithCr ? text.slice(0, -1) : text);
    const last = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = this.rest + lines[0];
      this.rest = '';
    }
    this.rest += last;
    this.requireShort();
    return this.eventsOf(lines);
  }

  /** Returns the event that the end of the stream completes: some servers omit the final empty line. */
  end(): string[] {
    const events = this.eventsOf(linesOf(this.rest + (this.endsWithCr ? '\r' : '') + this.decoder.end()));
    this.rest = '';
    return this.data.length > 0 ? [...events, this.taken()] : events;
  }

  private decoded(chunk: Uint8Array): string {
    const text = this.decoder.write(chunk as Buffer);
    if (this.begun || text === '') return text;
    this.begun = true;
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }

  private eventsOf(lines: readonly string[]): string[] {
    const events: string[] = [];
    for (const line of lines) {
      if (line === '') {
        if (this.data.length > 0) events.push(this.taken());
      } else if (line === 'data' || line.startsWith('data:')) {
        this.data.push(line.slice(line[5] === ' ' ? 6 : 5));
        this.dataChars += line.length;
        this.requireShort();
      }
      // Comments and other fields are ignored.
    }
    return events;
  }

  private requireShort(): void {
    if (this.rest.length + this.dataChars > MAX_EVENT_CHARS) throw new RangeError('an event of the stream is too long');
  }

  private taken(): string {
    const event = this.data.length === 1 ? (this.data[0] ?? '') : this.data.join('\n');
    this.data = [];
    this.dataChars = 0;
    return event;
  }
}

/** True for a text that is one event and nothing else, as most providers send each token. */
const isOneEvent = (text: string): boolean =>
  text.startsWith(PREFIX) &&
  text.length <= MAX_EVENT_CHARS &&
  text.indexOf('\n') === text.length - 2 &&
  text.endsWith('\n') &&
  !text.includes('\r');

const linesOf = (text: string): string[] => (text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n'));
