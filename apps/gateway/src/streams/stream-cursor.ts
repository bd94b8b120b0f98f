import type { ApiError, StreamEvent } from '@signalbox/contracts';

/** The outcome of a live event. */
export type LiveOutcome = 'send' | 'known' | 'gap';

/** The position of a client in a stream: each event is sent once, in order, with none left out. */
export class StreamCursor {
  constructor(private last: number) {}

  /** The number of the last event sent. */
  get seq(): number {
    return this.last;
  }

  /** A live event: sent when it is the next one; a later one means that some were missed. */
  receive({ seq }: Pick<StreamEvent, 'seq'>): LiveOutcome {
    if (seq <= this.last) return 'known';
    if (seq > this.last + 1) return 'gap';
    this.last = seq;
    return 'send';
  }

  /** Storage has been read up to here; what lies before was not selected. */
  skipTo(seq: number): boolean {
    if (seq <= this.last) return false;
    this.last = seq;
    return true;
  }

  /** An event from storage: sent unless it was sent before; storage leaves nothing out. */
  read({ seq }: Pick<StreamEvent, 'seq'>): boolean {
    if (seq <= this.last) return false;
    this.last = seq;
    return true;
  }
}

const TERMINAL = /^(task|run)\.(completed|failed|timed_out|cancelled)$/;

/** True for the last event of a task or run. */
export const isTerminal = (type: string): boolean => TERMINAL.test(type);

/** The type of the event that says that the run of a stream was deleted. */
export const RUN_DELETED = 'run.deleted';

/** An event as a frame of `text/event-stream`. */
export function frameOf({ seq, type, data }: StreamEvent): string {
  return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ type, seq, ...data })}\n\n`;
}

/** The last frame of a stream that the server cuts; without an id, so that a client continues after the last event. */
export const errorFrame = ({ status }: ApiError): string =>
  `event: error\ndata: ${JSON.stringify({ type: 'error', status, timestamp: Date.now() })}\n\n`;

/** A position without an event: a client that reconnects continues after it. */
export const positionFrame = (seq: number): string => `id: ${seq}\n\n`;

/**
 * Says that nothing follows, to a client that has received the terminal event on an earlier connection. A frame without
 * data is no event for a browser.
 */
export const END_FRAME = 'event: end\n\n';

/** The payload of a live message as an event, null when it is malformed. */
export function liveEvent(text: string): StreamEvent | null {
  try {
    const { seq, type, data } = JSON.parse(text) as Partial<StreamEvent>;
    return Number.isInteger(seq) && typeof type === 'string' ? ({ seq, type, data: data ?? {} } as StreamEvent) : null;
  } catch {
    return null;
  }
}
