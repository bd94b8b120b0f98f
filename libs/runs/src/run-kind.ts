import type { CompanySettings, Emission, FailureClass } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import type { RunEvent } from './run-event.js';
import type { States } from './states.js';

/** What every run has, as it is read when its row is locked. */
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

/** The tables of a kind of run and the columns by which they belong together. */
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

/** What a kind of run writes to the stream and the timeline where this library decides that it is written. */
export interface RunNotes {
  cancelled: (status: string) => RunEvent;
  /** The run, or one below it, waits for a callback; `about` goes to the timeline alone. */
  waiting?: (until: { hook_expires_at: number | undefined }, about: Record<string, unknown>) => RunEvent;
}

/** A kind of run, as data. */
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
  /** Types of stream events after which none follows, and that say that a run waits for a callback. */
  streamTypes: { end: readonly string[]; wait: readonly string[] };
  /** SQL over the alias `t`: the record of a run as its lifecycle events carry it. */
  record: string;
  /** The lifecycle event of a change of state, none when it has none; `null` is the acceptance of the run. */
  lifecycle: (trigger: Trigger | null, record: RunRecord) => Emission[];
  notes: RunNotes;
  /** How long runs are kept: by which setting of their company, and which tables have rows of them beside `tables`. */
  kept?: { setting: keyof CompanySettings['retention_days']; parts: readonly string[] };
  /** What else commits with the end of a run. */
  ended?: (tx: Tx, run: Run) => Promise<void>;
}

/** Events of one run that are committed and have to be announced. */
export interface CommittedEvents {
  id: string;
  events: { seq: number; type: string; data: Record<string, unknown> }[];
}

/** The run has ended otherwise, by a cancellation say: nothing more is written. */
export class RunEndedError extends Error {}
