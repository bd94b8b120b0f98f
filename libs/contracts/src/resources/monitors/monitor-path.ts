import { Id } from '../../fields/fields.js';

export const MONITOR_STATUSES = ['DRAFT', 'ACTIVE', 'PAUSED'] as const;
export type MonitorStatus = (typeof MONITOR_STATUSES)[number];

export class MonitorPath {
  @Id() monitor_id!: number;
}
