import { Id } from '../../fields/fields.js';

/** The states of a monitor. */
export const MONITOR_STATUSES = ['DRAFT', 'ACTIVE', 'PAUSED'] as const;
/** The state of a monitor. */
export type MonitorStatus = (typeof MONITOR_STATUSES)[number];

/** The path of a monitor. */
export class MonitorPath {
  @Id() monitor_id!: number;
}
