import type { RunEvent } from './run-event.js';
import type { RunKind, RunEventTemplates } from './run-kind.js';

/** Returns an event for both stream and timeline. */
export const runEvent = (type: string, data: Record<string, unknown> = {}): RunEvent => ({
  event: { type, data },
  timeline: { type, data },
});

/** Returns the default notes of a kind whose event types begin with a prefix, such as `run`. */
export const runEventTemplates = (prefix: string): RunEventTemplates => ({
  cancelled: () => runEvent(`${prefix}.cancelled`),
  waiting: (until, about) => ({
    event: { type: `${prefix}.waiting`, data: until },
    timeline: { type: `${prefix}.waiting`, data: { ...about, ...until } },
  }),
});

/** Returns the types of the events with which runs end and wait, when they are named after the states. */
export const streamTypes = (prefix: string): RunKind['streamTypes'] => ({
  end: ['completed', 'failed', 'cancelled'].map((state) => `${prefix}.${state}`),
  wait: [`${prefix}.waiting`],
});
