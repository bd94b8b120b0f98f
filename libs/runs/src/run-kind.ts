import type { CompanySettings, Emission, FailureClass } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import type { RunEvent } from './run-event.js';
import type { States } from './states.js';

/** An SQL expression used as a value in a write. */
export class Sql {
  constructor(readonly text: string) {}
}

/** Columns of a row with their new values or SQL expressions. Column names come from code, never from input. */
export type ColumnValues = Readonly<Record<string, unknown>>;

/** The columns of every run that are read when its row is locked. */
export interface LockedRun {
  id: string;
  status: string;
  /** Sequence number of the last event on its stream. */
  last_seq: number;
}

/** Why a run has no result. */
export interface RunFailure {
  failure_class: FailureClass;
  error_code: string;
  error_message: string;
}

/** The tables of a kind of run and the columns that relate them. */
export interface RunTables {
  /** `<schema>.<table>` of the runs themselves. */
  runs: string;
  /** `<schema>.<table>` of the events on their streams. */
  events: string;
  /** `<schema>.<table>` of their timelines. */
  timeline: string;
  /** Column of the other tables that holds the id of the run. */
  key: string;
  /** Column of `runs` with the id of the run that started this one; absent when runs of the kind start none. */
  parent?: string;
  /** `<schema>.<table>` of the hooks on which runs wait; absent when runs of the kind wait for no callback. */
  hooks?: string;
}

/** The events of a kind of run that this library writes to stream and timeline. */
export interface RunEventTemplates {
  cancelled: (status: string) => RunEvent;
  /** The run or a descendant waits for a callback; `about` is written to the timeline only. */
  waiting?: (until: { hook_expires_at: number | undefined }, about: Record<string, unknown>) => RunEvent;
}

/** How long the runs of a company are kept. */
export interface RunRetentionRule {
  setting: keyof CompanySettings['retention_days'];
  /** The tables that have rows of runs besides `tables`. */
  parts: readonly string[];
  /** Sessions, which expire after their last activity once no run is left that names one in `column`. */
  sessions?: { table: string; column: string };
}

/**
 * The start of a run in the transaction that accepts it, when the process that accepts it has a free slot to execute
 * it: no second transaction, and no look-up of the run.
 */
export interface DirectStart<Trigger extends string, RunRecord extends object> {
  /** The change of state, from the one of `values` at the acceptance. */
  trigger: Trigger;
  /** The columns that the start sets. */
  values: ColumnValues;
  /** What the start has changed in the record, as it is before: in the event of the acceptance. */
  before: Partial<RunRecord>;
  /** SQL over the alias `t`: a JSON object with what the executing worker needs as it was stored. */
  loaded: string;
}

/** What one run adds to its start in the transaction that accepts it. */
export interface RunStart {
  /** Columns besides those of the `DirectStart`. */
  values?: ColumnValues;
  events: readonly RunEvent[];
}

export interface RunKind<
  Run extends LockedRun = LockedRun,
  Trigger extends string = string,
  RunRecord extends object = object,
> {
  /** The noun of messages, such as `task`. */
  noun: string;
  /** Kind of the work that is one run. */
  work: string;
  states: States<Run['status'], Trigger>;
  tables: RunTables;
  /** SQL over the alias `t`: the columns of a locked run. They include those of `LockedRun`. */
  columns: string;
  /** Columns of a run that its timeline rows repeat. */
  timelineColumns: readonly string[];
  /** Types of stream events: those that end the stream, and those of a run that waits for a callback. */
  streamTypes: { end: readonly string[]; wait: readonly string[] };
  /** SQL over the alias `t`: the record of a run as its lifecycle events carry it. */
  record: string;
  /** The lifecycle events of a change of state; `null` is the acceptance of the run. */
  lifecycle: (trigger: Trigger | null, record: RunRecord) => Emission[];
  eventTemplates: RunEventTemplates;
  /** True for runs that nested calls start: work and slots of each depth of a chain are separate, see `workOfDepth`. */
  isNested?: boolean;
  /** Absent when a worker always starts runs of the kind later. */
  directStart?: DirectStart<Trigger, RunRecord>;
  /** How long runs are kept; absent when a user deletes them. */
  retention?: RunRetentionRule;
  /** True when a run executes its child runs itself: no job is added for them, and their end makes no parent due. */
  inlineChildren?: boolean;
  /** SQL over the alias `t`, an ended run: `id` and `work_kind` of the run that may start after it, if there is one. */
  successor?: string;
  /** Further writes in the transaction that ends a run. */
  ended?: (tx: Tx, run: Run) => Promise<void>;
}

/** The list of a SELECT with the fields of a record, given as SQL over the alias `t` by their names. */
export const recordSql = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ');

/** Committed events of one run, to be published. */
export interface CommittedEvents {
  id: string;
  events: { seq: number; type: string; data: Record<string, unknown> }[];
}

/** The run has already ended, for example by a cancellation: nothing more is written. */
export class RunEndedError extends Error {}
