import { emits, notFound } from '@signalbox/contracts';

/** The part of a target that its rules read. */
export interface TargetState {
  monitor_id: number;
  enabled: boolean;
}

/** 404 for a target of another monitor. */
export function requireOf(monitorId: number, { monitor_id }: TargetState): void {
  if (monitor_id !== monitorId) throw notFound('monitor target');
}

/** Returns the changed columns of an update. */
export const updateTarget = <Change extends object>(change: Change) =>
  Object.keys(change).length === 0 ? {} : { set: change, events: [emits('monitor_target.updated')] };

/** Enables or disables a target; the same state is no change. */
export const switchTarget = (target: TargetState, enabled: boolean) =>
  target.enabled === enabled ? {} : { ...updateTarget({ enabled }), action: enabled ? 'enable' : 'disable' };
