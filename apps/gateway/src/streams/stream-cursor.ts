import type { ApiError, StreamEvent } from '@signalbox/contracts';

export type LiveOutcome = 'send' | 'known' | 'gap';

export class StreamCursor {
  constructor(private last: number) {}

  get seq(): number {
    return this.last;
  }

  /** A live event later than the next one means that some were missed. */
  receive({ seq }: Pick<StreamEvent, 'seq'>): LiveOutcome {
    if (seq <= this.last) return 'known';
    if (seq > this.last + 1) return 'gap';
    this.last = seq;
    return 'send';
  }

  /** Storage was read up to `seq`; events before it were filtered out. Returns whether the position advanced. */
  skipTo(seq: number): boolean {
    if (seq <= this.last) return false;
    this.last = seq;
    return true;
  }

  /** An event from storage, which has no gaps. Returns false when it was sent before. */
  read({ seq }: Pick<StreamEvent, 'seq'>): boolean {
    return this.skipTo(seq);
  }
}

const TERMINAL = /^(task|run)\.(completed|failed|timed_out|cancelled)$/;

export const isTerminal = (type: string): boolean => TERMINAL.test(type);

export const RUN_DELETED = 'run.deleted';

export function frameOf({ seq, type, data }: StreamEvent): string {
  return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ type, seq, ...data })}\n\n`;
}

/** Has no id, so that a client resumes after the last event. */
export const errorFrame = ({ status }: ApiError): string =>
  `event: error\ndata: ${JSON.stringify({ type: 'error', status, timestamp: Date.now() })}\n\n`;

/** An id without an event: a client that reconnects continues after it. */
export const positionFrame = (seq: number): string => `id: ${seq}\n\n`;

/**
 * Tells a client that received the terminal event on an earlier connection that nothing follows. Browsers fire no event
 * for a frame without data.
 */
export const END_FRAME = 'event: end\n\n';

export function liveEvent(text: string): StreamEvent | null {
  try {
    const { seq, type, data } = JSON.parse(text) as Partial<StreamEvent>;
    return Number.isInteger(seq) && typeof type === 'string' ? ({ seq, type, data: data ?? {} } as StreamEvent) : null;
  } catch {
    return null;
  }
}
