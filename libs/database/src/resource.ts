import type { EmittedEvent } from '@signalbox/contracts';
import type { EntityTarget, ObjectLiteral } from 'typeorm';
import type { Tx } from './tx.js';
import type { View } from './view.js';

/** The decision of a rule about a row: the columns to set, the events to emit, the audit action. */
export interface Decision<Row> {
  set?: Partial<Row>;
  events?: EmittedEvent[];
  /** Name of the audit action; default `update`. Without `set` and events nothing is audited. */
  action?: string;
  reason?: string;
  /** Secret fields that the change has written and the view does not show; the audit entry names them. */
  secrets?: readonly string[];
}

/** A pure rule over one locked row; throws an ApiError when it refuses. */
export type Rule<Row> = (row: Row) => Decision<Row>;

/** Columns that every tenant row has in addition to its own. */
export interface TenantRow {
  company_id: number;
  id: number;
  date_created: number;
  date_updated: number;
  deleted_at: number | null;
}

/** The description of a resource for its repository. */
export interface Resource<Row extends ObjectLiteral> {
  entity: EntityTarget<Row>;
  view: View;
  /** `resource.type` of events and `resource_type` of audit entries. */
  type: string;
  /** Messages of the 409 for a unique constraint, by constraint name. */
  uniqueViolations?: Record<string, string>;
  /** True for tenant tables without `date_updated`. */
  undated?: boolean;
  /** The record as stored in the audit log; needed where a record can contain secrets. */
  audited?: (record: Record<string, unknown>) => Record<string, unknown>;
}

/** Additional work on a locked row in the transaction of its change, before the row itself is written. */
export type Prepare<Row> = (tx: Tx, row: Row, decision: Decision<Row>) => Promise<void>;
