import { emits, notFound } from '@signalbox/contracts';

export interface TargetState {
  monitor_id: number;
  enabled: boolean;
}

/** Throws 404 for a target of another monitor. */
export function requireOf(monitorId: number, { monitor_id }: TargetState): void {
  if (monitor_id !== monitorId) throw notFound('monitor target');
}

export const updateTarget = <Change extends object>(change: Change) =>
  Object.keys(change).length === 0 ? {} : { set: change, events: [emits('monitor_target.updated')] };

export const switchTarget = (target: TargetState, enabled: boolean) =>
  target.enabled === enabled ? {} : { ...updateTarget({ enabled }), action: enabled ? 'enable' : 'disable' };
