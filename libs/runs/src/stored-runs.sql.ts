import { hookStatements } from './hooks/run-hooks.sql.js';
import { readStatements } from './reads/run-reads.sql.js';
import { type RunRetentionRule, retentionStatements } from './retention/run-retention.sql.js';
import { type RunTables, schemaOf } from './run-tables.js';
import { heldHookStatements, holderStatements } from './secrets/secret-holder-leases.sql.js';
import { cancelStatements } from './writes/run-cancels.sql.js';
import { writeStatements } from './writes/run-writes.sql.js';

interface RunRows {
  tables: RunTables;
  /** SQL over `t`: the columns of a locked run, including those of `LockedRun`. */
  columns: string;
  timelineColumns: readonly string[];
  /** Absent when only users delete runs. */
  retention?: RunRetentionRule;
}

export interface StoredRuns extends RunRows {
  statements: ReturnType<typeof runStatements>;
}

const runStatements = (rows: RunRows) => ({
  cancels: cancelStatements(rows),
  heldHooks: heldHookStatements(rows.tables),
  holders: holderStatements(schemaOf(rows.tables.runs)),
  hooks: hookStatements(rows.tables),
  reads: readStatements(rows),
  retention: retentionStatements(rows.tables, rows.retention),
  writes: writeStatements(rows),
});

/** The part of a kind of run that is SQL: exported by a `*.sql.ts` file, so that its statements are planned. */
export const storedRuns = (rows: RunRows): StoredRuns => ({ ...rows, statements: runStatements(rows) });
