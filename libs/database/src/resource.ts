import type { AuditedType, EmittedEvent } from '@signalbox/contracts';
import type { EntityTarget, ObjectLiteral } from 'typeorm';
import type { Tx } from './tx.js';
import type { View } from './view.js';

export interface Decision<Row> {
  set?: Partial<Row>;
  events?: EmittedEvent[];
  /** Default `update`. Without `set` and events nothing is audited. */
  action?: string;
  reason?: string;
  /** Written secrets that the view does not show; the audit entry names them. */
  secrets?: readonly string[];
}

/** A pure decision over one locked row; throws an ApiError to refuse. */
export type Rule<Row> = (row: Row) => Decision<Row>;

export interface TenantRow {
  company_id: number;
  id: number;
  date_created: number;
  date_updated: number;
  deleted_at: number | null;
}

export interface Resource<Row extends ObjectLiteral> {
  entity: EntityTarget<Row>;
  view: View;
  /** `resource.type` of events and `resource_type` of audit entries. */
  type: AuditedType;
  /** Messages of the 409 for a unique constraint, by constraint name. */
  uniqueViolations?: Record<string, string>;
  /** The record as stored in the audit log; required where it can contain secrets. */
  audited?: (record: Record<string, unknown>) => Record<string, unknown>;
}

export type Prepare<Row> = (tx: Tx, row: Row, decision: Decision<Row>) => Promise<void>;
