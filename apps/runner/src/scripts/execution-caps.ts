import { STREAM_READ } from '@signalbox/contracts';
import { MAX_HOST_VALUE_LENGTH } from '@signalbox/scripts';
import { MAX_EVENT_BYTES, MAX_MESSAGE_LENGTH } from '../child/index.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Per execution, in characters and numbers unless they say bytes; enforced outside of the child. */
export const CAPS = {
  logLines: 1000,
  logLength: 64 * KIB,
  logLineLength: 8 * KIB,
  events: 10_000,
  eventBytes: MAX_EVENT_BYTES,
  hostCalls: 5000,
  streamReads: 100_000,
  /** Those that JavaScript has open, and the reading of a secret, for which it waits. */
  hostCallsAtOnce: 64 + 1,
  /** The interpreters refuse longer ones, but a script may write to its process without them. */
  argumentLength: MAX_HOST_VALUE_LENGTH,
  failureLength: MAX_MESSAGE_LENGTH,
  outputLength: 5 * MIB,
  totalLength: 256 * MIB,
} as const;

export type Verdict =
  | { kind: 'pass'; body: string }
  | { kind: 'drop' }
  /** Pass a note in its place that later lines are dropped. */
  | { kind: 'last-log' }
  | { kind: 'refuse'; message: string }
  | { kind: 'end'; message: string };

const DROP: Verdict = { kind: 'drop' };

export class ExecutionCaps {
  private logLines = 0;
  private logLength = 0;
  private events = 0;
  private calls = 0;
  private reads = 0;
  private open = 0;
  private total = 0;

  judge(kind: string, body: string, member?: string): Verdict {
    this.total += body.length;
    if (this.total > CAPS.totalLength) return { kind: 'end', message: 'the script sent more than 256 MiB' };
    if (kind === 'log') return this.log(body);
    if (kind === 'emit') return this.event(body);
    if (kind === 'call') return this.call(body, member);
    if (kind === 'failed') return { kind: 'pass', body: cut(body, CAPS.failureLength) };
    if (kind === 'completed' && body.length > CAPS.outputLength)
      return { kind: 'end', message: 'the output of the script is longer than 5 MiB as JSON' };
    return { kind: 'pass', body };
  }

  replied(): void {
    this.open--;
  }

  private log(body: string): Verdict {
    if (this.logLines > CAPS.logLines) return DROP;
    const text = cut(body, CAPS.logLineLength);
    this.logLines++;
    this.logLength += text.length;
    if (this.logLines <= CAPS.logLines && this.logLength <= CAPS.logLength) return { kind: 'pass', body: text };
    this.logLines = CAPS.logLines + 1;
    return { kind: 'last-log' };
  }

  private event(body: string): Verdict {
    if (Buffer.byteLength(body) > CAPS.eventBytes)
      return { kind: 'end', message: 'an event is longer than 64 KiB as JSON' };
    if (++this.events > CAPS.events)
      return { kind: 'end', message: `the script emitted more than ${CAPS.events} events` };
    return { kind: 'pass', body };
  }

  private call(body: string, member: string | undefined): Verdict {
    if (body.length > CAPS.argumentLength)
      return { kind: 'end', message: 'the arguments of a host call are longer than 16 MiB as JSON' };
    if (++this.open > CAPS.hostCallsAtOnce)
      return { kind: 'end', message: `the script has more than ${CAPS.hostCallsAtOnce} open host calls` };
    if (member === STREAM_READ) {
      if (++this.reads <= CAPS.streamReads) return { kind: 'pass', body };
      return { kind: 'refuse', message: `the script read more than ${CAPS.streamReads} times from streams` };
    }
    if (++this.calls <= CAPS.hostCalls) return { kind: 'pass', body };
    return { kind: 'refuse', message: `the script made more than ${CAPS.hostCalls} host calls` };
  }
}

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
