import { type PayloadsOf } from '../../events.js';
import { type accountEvents } from './accounts-events.js';
import { type agentEvents } from './agents-events.js';
import { type monitorEvents } from './monitors-events.js';
import { type testEvents } from './test-runs-events.js';
import { type trafficEvents } from './traffic-events.js';
import { type trainingEvents } from './training-events.js';
import { type workflowEvents } from './workflows-events.js';

export * from './accounts-events.js';
export * from './agents-events.js';
export * from './monitors-events.js';
export * from './event-data.js';
export * from './test-runs-events.js';
export * from './traffic-events.js';
export * from './training-events.js';
export * from './workflows-events.js';

/** Every declared event with the data it carries, by name. */
export type DeclaredEvents = PayloadsOf<typeof accountEvents> &
  PayloadsOf<typeof agentEvents> &
  PayloadsOf<typeof testEvents> &
  PayloadsOf<typeof trainingEvents> &
  PayloadsOf<typeof trafficEvents> &
  PayloadsOf<typeof monitorEvents> &
  PayloadsOf<typeof workflowEvents>;

/** A declared event that a rule emits; its data is the record after the change plus `extra`. */
export interface EmittedEvent {
  event: keyof DeclaredEvents;
  extra?: object;
}

/** Names the event that a rule emits; a wrong name or wrong extra data does not compile. */
export const emits = <Name extends keyof DeclaredEvents>(
  event: Name,
  extra?: Partial<DeclaredEvents[Name]>,
): EmittedEvent => (extra === undefined ? { event } : { event, extra });
