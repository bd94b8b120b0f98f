import type { LogLevel } from '@signalbox/contracts';
import { cutText } from '@signalbox/runs/rules';

/** Limits of a run (docs/api/workflows.md). */
const MAX_ENTRIES = 1000;
const MAX_BYTES = 64 * 1024;
const MAX_MESSAGE = 8192;
const DROPPED = 'further messages are not kept: a run may log 1000 messages and 64 KiB';

export interface LogEntry {
  level: LogLevel;
  message: string;
}

export interface LogSize {
  entries: number;
  bytes: number;
}

/** Null for a message that is dropped; updates `size`. */
export function keptEntry(size: LogSize, { level, message }: LogEntry): LogEntry | null {
  if (size.entries >= MAX_ENTRIES) return null;
  const text = cutText(message, MAX_MESSAGE);
  const bytes = Buffer.byteLength(text);
  const last = size.entries === MAX_ENTRIES - 1 || size.bytes + bytes > MAX_BYTES - DROPPED.length;
  size.entries = last ? MAX_ENTRIES : size.entries + 1;
  size.bytes += bytes;
  return last ? { level: 'warn', message: DROPPED } : { level, message: text };
}

/** Limits of `ctx.emit`; the runner bounds each event, and ends a script with more of them. */
const MAX_EVENTS = 10_000;
const MAX_EVENT_BYTES_IN_ALL = 8 * 1024 * 1024;
/** For the log of the run, once, in place of the first event that is dropped. */
export const EVENTS_DROPPED = 'further events are not sent: a run may emit 8 MiB of them';

/** Updates `size`; once an event is dropped, so are all later ones. */
export function judgeEvent(size: LogSize, event: unknown): 'send' | 'first-dropped' | 'drop' {
  if (size.entries > MAX_EVENTS) return 'drop';
  const bytes = Buffer.byteLength(JSON.stringify(event ?? null));
  const isLast = size.entries === MAX_EVENTS || size.bytes + bytes > MAX_EVENT_BYTES_IN_ALL;
  size.entries = isLast ? MAX_EVENTS + 1 : size.entries + 1;
  size.bytes += bytes;
  return isLast ? 'first-dropped' : 'send';
}
