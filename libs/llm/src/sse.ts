import { StringDecoder } from 'node:string_decoder';

const MAX_EVENT_CHARS = 4_000_000;
const BYTE_ORDER_MARK = '\ufeff';

/** Reads a server-sent stream: the `data` of each event, whatever its chunk boundaries and line ends. */
export class ServerSentEvents {
  private readonly decoder = new StringDecoder('utf8');
  private begun = false;
  private rest = '';
  private data: string[] = [];

  /** The events that end in this chunk; a RangeError for one that is too long to be one. */
  push(chunk: Uint8Array): string[] {
    this.rest += this.decoded(chunk);
    if (this.rest.length > MAX_EVENT_CHARS) throw new RangeError('an event of the stream is too long');
    // A CR at the very end may be the first half of a CRLF.
    const end = this.rest.endsWith('\r') ? this.rest.length - 1 : this.rest.length;
    const lines = linesOf(this.rest.slice(0, end));
    this.rest = (lines.pop() ?? '') + this.rest.slice(end);
    return this.eventsOf(lines);
  }

  /** The event that the end of the stream ends: some servers end it right after the last line. */
  end(): string[] {
    const events = this.eventsOf(linesOf(this.rest + this.decoder.end()));
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
      }
      // Comments and other fields carry nothing for us.
    }
    return events;
  }

  private taken(): string {
    const event = this.data.length === 1 ? (this.data[0] ?? '') : this.data.join('\n');
    this.data = [];
    return event;
  }
}

const linesOf = (text: string): string[] => (text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n'));
