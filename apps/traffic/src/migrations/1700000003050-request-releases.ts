import type { MigrationInterface, QueryRunner } from 'typeorm';
import { recordingOf } from './rollups/changes.js';
import { foldOf } from './rollups/fold.js';
import { COUNTED, DIMENSIONS, Place, RELEASE_DIMENSIONS, runtime, SKETCHES } from './rollups/shape.js';

const ADDED = ['workflow_id int', 'release text'];
const TABLES = ['requests', 'rollup_changes', 'request_rollups', 'session_places', 'wandering_places'];
/** The unique indexes whose keys contain a place, by the columns before it. */
const KEYS = {
  request_rollups: 'company_id, unit, starts',
  wandering_places: 'company_id, session_id, starts',
};

const keysOf = (place: Place): string[] =>
  Object.entries(KEYS).flatMap(([table, before]) => [
    `DROP INDEX IF EXISTS traffic.${table}_place`,
    `CREATE UNIQUE INDEX ${table}_place ON traffic.${table} (${before}, ${place.list()}) NULLS NOT DISTINCT`,
  ]);

const viewOf = (place: Place): string[] => [
  `CREATE VIEW traffic.measured_requests WITH (security_invoker = true) AS SELECT ${place.measured} FROM traffic.requests r`,
  `GRANT SELECT ON traffic.measured_requests TO ${runtime}`,
];
const functionsOf = (place: Place): string[] => [foldOf(place), ...recordingOf(place)];

const SUMS = [...COUNTED, 'settled'].map((name) => `sum(${name}) AS ${name}`);
const JOINED = SKETCHES.map((name) => `string_agg(${name}, ''::bytea) AS ${name}`);
/** What is measured of the places of a table when several of them become one. */
const MERGED: Record<keyof typeof KEYS, readonly string[]> = {
  request_rollups: [...SUMS, ...JOINED],
  wandering_places: ['bool_or(crosses) AS crosses'],
};
const TABLES_OF_PLACES = Object.entries(MERGED) as [keyof typeof KEYS, readonly string[]][];

const mergedInto = (place: Place): string[] =>
  TABLES_OF_PLACES.flatMap(([table, measured]) => [
    `CREATE TEMP TABLE merged_${table} ON COMMIT DROP AS SELECT ${KEYS[table]}, ${place.list()}, ${measured.join(', ')}
      FROM traffic.${table} GROUP BY ${KEYS[table]}, ${place.list()}`,
    `TRUNCATE traffic.${table}`,
  ]);
const restoredFrom = (place: Place): string[] =>
  TABLES_OF_PLACES.map(([table, measured]) => {
    const names = [KEYS[table], place.list(), ...measured.map((sql) => sql.split(' AS ')[1])].join(', ');
    return `INSERT INTO traffic.${table} (${names}) SELECT ${names} FROM merged_${table}`;
  });

/**
 * The workflow and the release that requests were made for, in the requests and in their metrics. Earlier requests have
 * neither: giving them a workflow would move them between the rows of the rollups.
 */
export class RequestReleases1700000003050 implements MigrationInterface {
  readonly name = 'RequestReleases1700000003050';

  async up(runner: QueryRunner): Promise<void> {
    const place = new Place(RELEASE_DIMENSIONS);
    const columns = ADDED.map((column) => `ADD COLUMN ${column}`).join(', ');
    const made = [
      ...TABLES.map((table) => `ALTER TABLE traffic.${table} ${columns}`),
      ...keysOf(place),
      'DROP VIEW traffic.measured_requests',
      ...viewOf(place),
      ...functionsOf(place),
    ];
    for (const statement of made) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    const place = new Place(DIMENSIONS);
    const columns = ADDED.map((column) => `DROP COLUMN ${column.split(' ')[0]}`).join(', ');
    const made = [
      'DROP VIEW traffic.measured_requests',
      ...functionsOf(place),
      ...mergedInto(place),
      ...TABLES.map((table) => `ALTER TABLE traffic.${table} ${columns}`),
      ...restoredFrom(place),
      ...keysOf(place),
      ...viewOf(place),
    ];
    for (const statement of made) await runner.query(statement);
  }
}
