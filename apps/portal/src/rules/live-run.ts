export interface RunEvent {
  type: string;
  seq: number;
  timestamp: number;
  run_id: string;
  [field: string]: unknown;
}

export interface RunLine {
  seq: number;
  at: number;
  /** The level of a log line, `event` for emitted events, `child` for started runs. */
  kind: 'debug' | 'info' | 'warn' | 'error' | 'event' | 'child';
  text: string;
  childRunId?: string;
}

export interface LiveRun {
  runId: string | null;
  startedAt: number | null;
  lines: readonly RunLine[];
  dropped: number;
  hasEnded: boolean;
}

export const NOTHING_SEEN: LiveRun = { runId: null, startedAt: null, lines: [], dropped: 0, hasEnded: false };

/** Logs have at most 1,000 lines; a script may emit any number of events. */
const MAX_LINES = 2000;
const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
const ENDS = ['run.completed', 'run.failed', 'run.timed_out', 'run.cancelled'];

const string = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

function lineOf(event: RunEvent): RunLine | null {
  const line = { seq: event.seq, at: event.timestamp };
  if (event.type === 'run.log') {
    const kind = LEVELS.find((level) => level === event.level) ?? 'info';
    return { ...line, kind, text: string(event.message) };
  }
  if (event.type === 'run.event') return { ...line, kind: 'event', text: string(event.event) };
  if (event.type !== 'run.child') return null;
  const childRunId = string(event.child_run_id);
  const text = `${string(event.ref)} ${string(event.status).toLowerCase()}`.trim();
  return { ...line, kind: 'child', text, ...(childRunId === '' ? {} : { childRunId }) };
}

export function seeing(seen: LiveRun, event: RunEvent): LiveRun {
  const line = lineOf(event);
  const lines = line ? [...seen.lines, line] : seen.lines;
  const surplus = Math.max(0, lines.length - MAX_LINES);
  return {
    runId: event.run_id,
    startedAt: seen.startedAt ?? event.timestamp,
    lines: surplus > 0 ? lines.slice(surplus) : lines,
    dropped: seen.dropped + surplus,
    hasEnded: seen.hasEnded || ENDS.includes(event.type),
  };
}

/** As in `line 6: Error: no such order`. */
export function scriptLineOf(message: string | null): number | null {
  const found = /^line (\d+)(?:, column \d+)?: /.exec(message ?? '');
  return found ? Number(found[1]) : null;
}
