import { conflict, type Detail, emits, type MonitorStatus } from '@signalbox/contracts';

export interface MonitorState {
  status: MonitorStatus;
}

export const updateMonitor = <Change extends object>(change: Change) =>
  Object.keys(change).length === 0 ? {} : { set: change, events: [emits('monitor.updated')] };

/** Judges what happens from now on. Throws 409 that names the problems of the draft. */
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

/** Throws 409 for a draft, which does not judge yet. */
export function pauseMonitor({ status }: MonitorState) {
  if (status === 'PAUSED') return {};
  if (status === 'DRAFT') throw conflict('the monitor is DRAFT, not ACTIVE');
  return { set: { status: 'PAUSED' as const }, events: [emits('monitor.paused')], action: 'disable' };
}
