import { conflict, type Detail, emits, type MonitorStatus } from '@signalbox/contracts';

/** The part of a monitor that its rules read. */
export interface MonitorState {
  status: MonitorStatus;
}

/** Returns the changed columns of an update. */
export const updateMonitor = <Change extends object>(change: Change) =>
  Object.keys(change).length === 0 ? {} : { set: change, events: [emits('monitor.updated')] };

/** Starts judging what happens from now on; 409 naming the problems of the draft. An active monitor stays as it is. */
export function activateMonitor({ status }: MonitorState, problems: readonly Detail[], now: number) {
  if (status === 'ACTIVE') return {};
  const [first] = problems;
  if (first) throw conflict(`the monitor cannot judge: ${first.field} ${first.message}`, [...problems]);
  return {
    set: { status: 'ACTIVE' as const, activated_at: now },
    events: [emits('monitor.activated')],
    action: 'enable',
  };
}

/** Stops judging; 409 for a draft, which does not judge yet. */
export function pauseMonitor({ status }: MonitorState) {
  if (status === 'PAUSED') return {};
  if (status === 'DRAFT') throw conflict('the monitor is DRAFT, not ACTIVE');
  return { set: { status: 'PAUSED' as const }, events: [emits('monitor.paused')], action: 'disable' };
}
