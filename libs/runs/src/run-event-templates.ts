import type { RunEvent } from './run-event.js';
import type { RunKind, RunEventTemplates } from './run-kind.js';

export const runEvent = (type: string, data: Record<string, unknown> = {}): RunEvent => ({
  event: { type, data },
  timeline: { type, data },
});

export const runEventTemplates = (prefix: string): RunEventTemplates => ({
  cancelled: () => runEvent(`${prefix}.cancelled`),
  waiting: (until, about) => ({
    event: { type: `${prefix}.waiting`, data: until },
    timeline: { type: `${prefix}.waiting`, data: { ...about, ...until } },
  }),
});

export const streamTypes = (prefix: string): RunKind['streamTypes'] => ({
  end: ['completed', 'failed', 'cancelled'].map((state) => `${prefix}.${state}`),
  wait: [`${prefix}.waiting`],
});
