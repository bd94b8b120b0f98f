import type { StreamEvent } from '@signalbox/contracts';

/** What to do with an event that was heard live. */
export type Heard = 'send' | 'known' | 'gap';

/** How far a client has read a stream: each event goes out once, in order, with none left out. */
export class StreamCursor {
  constructor(private last: number) {}

  /** The number of the last event sent. */
  get seq(): number {
    return this.last;
  }

  /** An event heard live: sent when it is the next one; a later one means that some were missed. */
  hear({ seq }: Pick<StreamEvent, 'seq'>): Heard {
    if (seq <= this.last) return 'known';
    if (seq > this.last + 1) return 'gap';
    this.last = seq;
    return 'send';
  }

  /** An event read from storage: sent unless it was before; storage leaves nothing out. */
  read({ seq }: Pick<StreamEvent, 'seq'>): boolean {
    if (seq <= this.last) return false;
    this.last = seq;
    return true;
  }
}

const TERMINAL = /^(task|run)\.(completed|failed|timed_out|cancelled)$/;

/** True for the last event of a task or run. */
export const isTerminal = (type: string): boolean => TERMINAL.test(type);

/** An event as a frame of `text/event-stream`. */
export function frameOf({ seq, type, data }: StreamEvent): string {
  return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ type, seq, ...data })}\n\n`;
}

/** The payload of a live announcement as an event, null when it is none. */
export function heardEvent(text: string): StreamEvent | null {
  try {
    const { seq, type, data } = JSON.parse(text) as Partial<StreamEvent>;
    return Number.isInteger(seq) && typeof type === 'string' ? ({ seq, type, data: data ?? {} } as StreamEvent) : null;
  } catch {
    return null;
  }
}
