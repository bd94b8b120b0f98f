import type { RunEvent } from './run-event.js';
import type { RunKind, RunNotes } from './run-kind.js';

/** An event for stream and timeline alike. */
export const runNote = (type: string, data: Record<string, unknown> = {}): RunEvent => ({
  event: { type, data },
  timeline: { type, data },
});

/** The usual notes of a kind whose events begin with a prefix, such as `run`. */
export const runNotes = (prefix: string): RunNotes => ({
  cancelled: () => runNote(`${prefix}.cancelled`),
  waiting: (until, about) => ({
    event: { type: `${prefix}.waiting`, data: until },
    timeline: { type: `${prefix}.waiting`, data: { ...about, ...until } },
  }),
});

/** The types of events with which the runs of a kind end and wait, when they are named after its states. */
export const streamTypes = (prefix: string): RunKind['streamTypes'] => ({
  end: ['completed', 'failed', 'cancelled'].map((state) => `${prefix}.${state}`),
  wait: [`${prefix}.waiting`],
});
