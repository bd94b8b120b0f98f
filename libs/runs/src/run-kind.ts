import type { Emission, FailureClass } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import type { RunEvent } from './run-event.js';
import type { States } from './states.js';
import type { StoredRuns } from './stored-runs.sql.js';

export class Sql {
  constructor(readonly text: string) {}
}

/** Values or SQL expressions by column; names come from code, never from input. */
export type ColumnValues = Readonly<Record<string, unknown>>;

export interface LockedRun {
  id: string;
  status: string;
  last_seq: number;
}

export interface HeldRun extends LockedRun {
  has_secrets: boolean;
}

export interface RunFailure {
  failure_class: FailureClass;
  error_code: string;
  error_message: string;
}

export interface RunEventTemplates {
  cancelled: (status: string) => RunEvent;
  /** The run or a descendant waits for a callback; `about` is written to the timeline only. */
  waiting?: (until: { hook_expires_at: number | undefined }, about: Record<string, unknown>) => RunEvent;
}

/**
 * The start of a run in the transaction that accepts it, when this process has a free slot: saves a second transaction
 * and a look-up of the run.
 */
export interface DirectStart<Trigger extends string, RunRecord extends object> {
  trigger: Trigger;
  values: ColumnValues;
  /** Record fields as they were before the start, for the event of the acceptance. */
  before: Partial<RunRecord>;
  /** SQL over `t`: a JSON object with what the worker needs as it was stored. */
  loaded: string;
}

export interface RunStart {
  values?: ColumnValues;
  events: readonly RunEvent[];
}

export interface RunKind<
  Run extends LockedRun = LockedRun,
  Trigger extends string = string,
  RunRecord extends object = object,
> extends StoredRuns {
  /** In messages, such as `task`. */
  noun: string;
  work: string;
  states: States<Run['status'], Trigger>;
  streamTypes: { end: readonly string[]; wait: readonly string[] };
  /** SQL over `t`: the record in lifecycle events. */
  record: string;
  lifecycle: (trigger: Trigger | null, record: RunRecord) => Emission[];
  eventTemplates: RunEventTemplates;
  /** Whether nested calls start such runs: jobs and slots are then separate by depth, see `workOfDepth`. */
  isNested?: boolean;
  /** Absent when runs are always started by a later job. */
  directStart?: DirectStart<Trigger, RunRecord>;
  /** A run executes its child runs itself: they have no jobs, and their end makes no parent due. */
  inlineChildren?: boolean;
  /** SQL over `t`, an ended run: `id` and `work_kind` of the run that may start after it. */
  successor?: string;
  /** Before the cancellation of the locked run, whose worker writes nothing after it. */
  cancelling?: (tx: Tx, run: Run) => Promise<void>;
  ended?: (tx: Tx, run: Run) => Promise<void>;
}

export const recordSql = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ');

export interface CommittedEvents {
  id: string;
  events: { seq: number; type: string; data: Record<string, unknown> }[];
}

/** The run has already ended, for example by a cancellation: nothing is written. */
export class RunEndedError extends Error {}
