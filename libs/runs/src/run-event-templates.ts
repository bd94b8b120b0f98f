import type { RunEvent } from './run-event.js';
import type { RunKind } from './run-kind.js';

/** Without data. */
export const runEvent = (type: string): RunEvent => ({
  event: { type, data: {} },
  timeline: { type, data: {} },
});

/** Of kinds whose timeline has the same entries as their stream. */
export const RUN_EVENTS: Pick<RunKind, 'streamTypes' | 'eventTemplates'> = {
  streamTypes: { end: ['run.completed', 'run.failed', 'run.cancelled'], wait: ['run.waiting'] },
  eventTemplates: {
    cancelled: () => runEvent('run.cancelled'),
    waiting: (until, about) => ({
      event: { type: 'run.waiting', data: until },
      timeline: { type: 'run.waiting', data: { ...about, ...until } },
    }),
  },
};
