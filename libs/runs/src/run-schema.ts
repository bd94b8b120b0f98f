import { NOW_MS, openToWorker, protect, rolesOf } from '@signalbox/database';
import type { RunTables } from './run-tables.js';
import { isHeldSql } from './secrets/held-kind.js';

export interface RunSchema {
  service: string;
  /** Such as `runs`; the others are `<singular>_events`, `<singular>_timeline` and `<singular>_hooks`. */
  table: string;
  singular: string;
  key: string;
  /** Default those of `RUN_TRANSITIONS`. */
  statuses?: { open: readonly string[]; terminal: readonly string[] };
  parent?: string;
  columns: readonly string[];
  /** Definitions of run columns that the timeline repeats. */
  timelineColumns?: readonly string[];
  hooks?: boolean;
}

const STATUSES = {
  open: ['QUEUED', 'RUNNING', 'WAITING_WEBHOOK'],
  terminal: ['COMPLETED', 'FAILED', 'CANCELLED'],
};

export function tablesOf({ service, table, singular, key, parent, hooks }: RunSchema): RunTables {
  const name = (suffix: string): string => `"${service}".${singular}_${suffix}`;
  return {
    runs: `"${service}".${table}`,
    events: name('events'),
    timeline: name('timeline'),
    key,
    ...(parent ? { parent } : {}),
    ...(hooks ? { hooks: name('hooks') } : {}),
  };
}

const quoted = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ');

/** The older tables of `agents` agree in columns only. */
export function runTables(schema: RunSchema): string[] {
  const { service, table, singular, key, statuses = STATUSES, parent, columns, timelineColumns = [] } = schema;
  const { runtime } = rolesOf(service);
  const { runs, events, timeline, hooks } = tablesOf(schema);
  const toRun = `FOREIGN KEY (company_id, ${key}) REFERENCES ${runs} (company_id, id) ON DELETE CASCADE`;
  return [
    `CREATE TABLE ${runs} (
      company_id int NOT NULL,
      id uuid NOT NULL,
      no bigint GENERATED ALWAYS AS IDENTITY,
      status text NOT NULL CHECK (status IN (${quoted([...statuses.open, ...statuses.terminal])})),
      work_kind text NOT NULL,
      has_secrets boolean NOT NULL DEFAULT false,
      last_seq int NOT NULL DEFAULT 0,
      failure_class text,
      error_code text,
      error_message text,
      ${parent ? `${parent} uuid, depth int NOT NULL DEFAULT 0,` : ''}
      ${hooks ? 'hook_expires_at bigint, active_since bigint,' : ''}
      ${columns.map((column) => `${column},`).join('\n      ')}
      date_created bigint NOT NULL DEFAULT ${NOW_MS},
      started_at bigint,
      completed_at bigint,
      CHECK ((status IN (${quoted(statuses.terminal)})) = (completed_at IS NOT NULL)),
      PRIMARY KEY (company_id, id)
    )`,
    ...(parent
      ? [
          `ALTER TABLE ${runs} ADD FOREIGN KEY (company_id, ${parent}) REFERENCES ${runs} (company_id, id) ON DELETE CASCADE`,
          `CREATE INDEX ${table}_below ON ${runs} (company_id, ${parent}) WHERE ${parent} IS NOT NULL`,
        ]
      : []),
    ...protect(service, table),
    ...keptTables(service, table),
    `GRANT USAGE ON SEQUENCE "${service}".${table}_no_seq TO ${runtime}`,
    `CREATE TABLE ${events} (
      company_id int NOT NULL,
      ${key} uuid NOT NULL,
      seq int NOT NULL CHECK (seq > 0),
      type text NOT NULL,
      data jsonb NOT NULL,
      timestamp bigint NOT NULL,
      PRIMARY KEY (company_id, ${key}, seq),
      ${toRun}
    )`,
    ...protect(service, `${singular}_events`, 'SELECT, INSERT, DELETE'),
    // Separate from the stream, because background work of a run is recorded after its terminal event.
    `CREATE TABLE ${timeline} (
      company_id int NOT NULL,
      no bigint GENERATED ALWAYS AS IDENTITY,
      ${key} uuid NOT NULL,
      ${timelineColumns.map((column) => `${column},`).join('\n      ')}
      type text NOT NULL,
      data jsonb NOT NULL,
      timestamp bigint NOT NULL,
      PRIMARY KEY (company_id, no),
      ${toRun}
    )`,
    `CREATE INDEX ${singular}_timeline_of_run ON ${timeline} (company_id, ${key}, no)`,
    ...protect(service, `${singular}_timeline`, 'SELECT, INSERT, DELETE'),
    `GRANT USAGE ON SEQUENCE ${timeline}_no_seq TO ${runtime}`,
    ...(hooks ? hookTable(schema, hooks, toRun) : []),
  ];
}

function hookTable({ service, singular, key }: RunSchema, table: string, toRun: string): string[] {
  const index = `${singular}_hooks`;
  return [
    `CREATE TABLE ${table} (
      company_id int NOT NULL,
      -- Of the key itself nothing is kept but this.
      hook_hash text NOT NULL,
      ${key} uuid NOT NULL,
      step_no int NOT NULL,
      -- Kind of the work that is due again after the callback: it names the process that holds the secrets.
      work_kind text NOT NULL,
      expires_at bigint NOT NULL,
      answered_at bigint,
      -- JSON text, or unreadable without the key of the hook when the run has secrets that may stand in it.
      payload text,
      sealed boolean NOT NULL DEFAULT false,
      -- When the hook was found to belong to a process that is gone: its run was made due, so that it ends.
      released_at timestamptz,
      PRIMARY KEY (company_id, hook_hash),
      ${toRun}
    )`,
    `CREATE INDEX ${index}_of_step ON ${table} (company_id, ${key}, step_no)`,
    `CREATE UNIQUE INDEX ${index}_answer ON ${table} (company_id, ${key}, step_no) WHERE answered_at IS NOT NULL`,
    `CREATE INDEX ${index}_hash ON ${table} (hook_hash)`,
    `CREATE INDEX ${index}_held ON ${table} (work_kind) WHERE ${isHeldSql('work_kind')} AND released_at IS NULL`,
    ...protect(service, `${singular}_hooks`),
    // A callback carries no company: the worker role looks it up by the hash.
    ...openToWorker(service, `${singular}_hooks`, `SELECT (company_id, hook_hash, ${key}, work_kind, released_at)`),
  ];
}

export function keptTables(service: string, table: string): string[] {
  return [
    `CREATE INDEX ${table}_ended ON "${service}".${table} (company_id, completed_at) WHERE completed_at IS NOT NULL`,
    // All that the worker role may see is which companies have old runs.
    ...openToWorker(service, table, 'SELECT (company_id, completed_at)'),
  ];
}

/** Processes that hold secrets of runs; one table per service. */
export function secretHolderTable(service: string): string[] {
  return [
    `CREATE TABLE "${service}".secret_holders (
      holder uuid PRIMARY KEY,
      alive_until timestamptz NOT NULL,
      -- Set while the process takes over the secrets of processes that stop.
      public_key text,
      since timestamptz NOT NULL DEFAULT now()
    )`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON "${service}".secret_holders TO ${rolesOf(service).worker}`,
    // Finds work of a dead holder by any kind.
    `CREATE INDEX work_held ON "${service}".work (kind) WHERE done_at IS NULL AND ${isHeldSql('kind')}`,
  ];
}
