import { openToWorker, protect } from '@signalbox/database';
import { countedColumns, DIMENSIONS, KIND_NAMES, owner, Place, runtime, SERVICE, sketchColumns } from './shape.js';

/** The tables of metrics, and the changes that are not folded into them yet. */
export const TABLES = ['rollup_changes', 'request_rollups', 'request_series', 'session_places', 'wandering_places'];

const place = new Place(DIMENSIONS);

export const tables = [
  // Changes by statements, in any order because they are summed. `fold_rollups` deletes them.
  `CREATE TABLE traffic.rollup_changes (
    company_id int NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY, starts bigint NOT NULL, ${place.columns},
    ${countedColumns}, settled bigint NOT NULL DEFAULT 0, ${sketchColumns},
    -- The sessions of new requests, and when the last of them was made.
    sessions text[] STORAGE EXTERNAL, last_at bigint,
    PRIMARY KEY (company_id, id)
  )`,
  `GRANT USAGE ON SEQUENCE traffic.rollup_changes_id_seq TO ${runtime}`,
  `CREATE TABLE traffic.request_rollups (
    company_id int NOT NULL, unit text NOT NULL CHECK (unit IN ('hour', 'day')), starts bigint NOT NULL, ${place.columns},
    ${countedColumns},
    -- Sessions that have requests nowhere else.
    settled bigint NOT NULL,
    ${sketchColumns}
  ) WITH (fillfactor = 70)`,
  `CREATE UNIQUE INDEX request_rollups_place ON traffic.request_rollups
    (company_id, unit, starts, ${place.list()}) NULLS NOT DISTINCT`,
  // The same by one dimension each: few rows for the most frequent queries.
  `CREATE TABLE traffic.request_series (
    company_id int NOT NULL, unit text NOT NULL CHECK (unit IN ('hour', 'day')), starts bigint NOT NULL,
    kind text NOT NULL, key text,
    ${countedColumns},
    -- Of an hour, the sessions that are settled in it; of a day, those that have requests on no other.
    sessions bigint NOT NULL,
    ${sketchColumns}
  ) PARTITION BY LIST (kind)`,
  // A read of one kind scans only its partition.
  ...KIND_NAMES.flatMap((kind) => [
    `CREATE TABLE traffic.request_series_${kind} PARTITION OF traffic.request_series FOR VALUES IN ('${kind}')
      WITH (fillfactor = 70)`,
    `ALTER TABLE traffic.request_series_${kind} ENABLE ROW LEVEL SECURITY`,
    `ALTER TABLE traffic.request_series_${kind} FORCE ROW LEVEL SECURITY`,
  ]),
  `CREATE UNIQUE INDEX request_series_key ON traffic.request_series
    (company_id, kind, unit, starts, key) NULLS NOT DISTINCT`,
  // The place of each session with one place; a session with several places wanders.
  `CREATE TABLE traffic.session_places (
    company_id int NOT NULL, session_id text NOT NULL, starts bigint NOT NULL, ${place.columns}, wanders boolean NOT NULL,
    PRIMARY KEY (company_id, session_id)
  ) WITH (fillfactor = 80)`,
  // A session with requests on two days crosses.
  `CREATE TABLE traffic.wandering_places (
    company_id int NOT NULL, session_id text NOT NULL, starts bigint NOT NULL, ${place.columns}, crosses boolean NOT NULL
  )`,
  `CREATE UNIQUE INDEX wandering_places_place ON traffic.wandering_places
    (company_id, session_id, starts, ${place.list()}) NULLS NOT DISTINCT`,
  `CREATE INDEX wandering_places_hours ON traffic.wandering_places (company_id, starts)`,
  `CREATE INDEX wandering_places_crossing ON traffic.wandering_places (company_id, starts) WHERE crosses`,
  ...TABLES.flatMap((table) => [
    // Rows are inserted and deleted in the order of time.
    ...(['rollup_changes', 'request_series'].includes(table)
      ? []
      : [`CREATE INDEX ${table}_age ON traffic.${table} USING brin (starts)`]),
    ...protect(SERVICE, table),
    `CREATE POLICY retention ON traffic.${table} TO ${owner} USING (true)`,
  ]),
  // The worker reads which companies have pending changes, and no other column.
  ...openToWorker(SERVICE, 'rollup_changes', 'SELECT (company_id)'),
];

export const activity = [
  // All-time counts, maintained by the fold, because a count over the log would scan it. Intent 0 = none.
  `CREATE TABLE traffic.activity (
    company_id int NOT NULL,
    application_id int NOT NULL,
    intent_id int NOT NULL,
    intent_group_id int,
    model text NOT NULL,
    request_count bigint NOT NULL,
    last_activity bigint NOT NULL,
    PRIMARY KEY (company_id, application_id, intent_id, model)
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX activity_group ON traffic.activity (company_id, intent_group_id) WHERE intent_group_id IS NOT NULL`,
  ...protect(SERVICE, 'activity', 'SELECT, INSERT, UPDATE'),
  // Includes the changes that are not folded yet.
  `CREATE VIEW traffic.recorded_activity WITH (security_invoker = true) AS
    SELECT company_id, application_id, intent_id, intent_group_id, model, request_count, last_activity FROM traffic.activity
    UNION ALL
    SELECT company_id, application_id, COALESCE(intent_id, 0), intent_group_id, model, recorded, last_at
    FROM traffic.rollup_changes WHERE recorded > 0 AND application_id IS NOT NULL`,
  `GRANT SELECT ON traffic.recorded_activity TO ${runtime}`,
];
