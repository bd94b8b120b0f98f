import { COUNTED, dayOf, HOUR, hourOf, KINDS, MEASURES, type Place, SHOWN, SKETCHES, UNITS } from './shape.js';

const BINS = { latencies: 'response_time_ms', first_tokens: 'first_token_time_ms' };
const targetOf = (place: Place): string =>
  `traffic.rollup_changes (company_id, starts, ${place.list()}, ${COUNTED.join(', ')}, ${SKETCHES.join(', ')}`;

/** New requests of a table, one row per hour and place. */
export const recordedIn = (rows: string, place: Place): string => `
  INSERT INTO ${targetOf(place)}, sessions, last_at)
  SELECT r.company_id, ${hourOf('r.date_created')}, ${place.list('r.')},
    ${Object.entries(MEASURES)
      .map(([name, sql]) => (name === 'cost' ? 'COALESCE(sum(r.cost::numeric), 0)' : `sum(${sql})`))
      .join(', ')},
    ${Object.values(BINS)
      .map(
        (time) => `COALESCE(string_agg(int2send(traffic.latency_bin(r.${time})) || '\\x00000001'::bytea, ''::bytea)
          FILTER (WHERE r.${time} IS NOT NULL), ''::bytea)`,
      )
      .join(', ')},
    array_agg(r.session_id) FILTER (WHERE r.session_id IS NOT NULL), max(r.date_created)
  FROM ${rows} r GROUP BY r.company_id, 2, ${place.list('r.')};`;

/** The changes of the counts of updated requests. */
const changedBy = (rows: string, place: Place): string => `
  INSERT INTO ${targetOf(place)})
  SELECT company_id, starts, ${place.list()}, ${COUNTED.map((name) => `sum(${name})`).join(', ')},
    ${['latency', 'first_token']
      .map(
        (bin) => `COALESCE(string_agg(int2send(${bin}) || int4send(n::int), ''::bytea)
          FILTER (WHERE ${bin} IS NOT NULL AND n <> 0), ''::bytea)`,
      )
      .join(', ')}
  FROM (
    SELECT company_id, ${hourOf('date_created')} AS starts, ${place.list()}, latency, first_token, sum(sign) AS n,
      ${COUNTED.map((name) => `sum(sign * ${name}) AS ${name}`).join(', ')}
    FROM (${rows}) c GROUP BY company_id, 2, ${place.list()}, latency, first_token
  ) f GROUP BY company_id, starts, ${place.list()}
  HAVING ${COUNTED.map((name) => `sum(${name}) <> 0`).join(' OR ')};`;

const corrected = (place: Place): string =>
  changedBy(
    `SELECT 1 AS sign, ${place.measured} FROM fresh r UNION ALL SELECT -1, ${place.measured} FROM former r`,
    place,
  );

const foldAll = `
  FOR gone IN SELECT DISTINCT company_id FROM former ORDER BY 1 LOOP
    WHILE traffic.fold_rollups(gone.company_id) LOOP END LOOP;
  END LOOP;`;

const of = (table: string, other: string): string =>
  `${table}.company_id = ${other}.company_id AND ${table}.session_id = ${other}.session_id`;

/**
 * Deleted rows: removes the places where a session has no requests left. Pending changes are folded first, under the
 * lock.
 */
const uncounted = (place: Place): string => `
  ${changedBy(`SELECT -1 AS sign, ${place.measured} FROM former r`, place)}
  ${foldAll}
  WITH places AS (SELECT DISTINCT company_id, session_id, ${hourOf('date_created')} AS starts, ${place.list()}
      FROM former WHERE session_id IS NOT NULL),
    lost AS MATERIALIZED (SELECT p.* FROM places p WHERE NOT EXISTS (SELECT 1 FROM traffic.requests r
      WHERE ${of('r', 'p')} AND r.date_created >= p.starts AND r.date_created < p.starts + ${HOUR}
        AND (${place.list('r.')}) IS NOT DISTINCT FROM (${place.list('p.')}))),
    unmarked AS (DELETE FROM traffic.session_places t USING lost p
      WHERE NOT t.wanders AND ${of('t', 'p')} AND ${place.same('t', 'p')} RETURNING t.*),
    states AS (SELECT f.*, EXISTS (SELECT 1 FROM lost p WHERE ${of('f', 'p')} AND ${place.same('f', 'p')}) AS lost
      FROM traffic.wandering_places f JOIN (SELECT DISTINCT company_id, session_id FROM lost) l USING (company_id, session_id)
      WHERE NOT f.crosses),
    seen AS (SELECT f.company_id, f.session_id, ${dayOf('f.starts')} AS starts, k.kind, k.key, bool_and(f.lost) AS lost
      FROM states f ${KINDS} WHERE ${SHOWN} GROUP BY 1, 2, 3, 4, 5),
    fewer AS (UPDATE traffic.request_series t SET sessions = t.sessions - s.lost
      FROM (SELECT company_id, starts, kind, key, count(*) AS lost FROM seen WHERE lost GROUP BY 1, 2, 3, 4) s
      WHERE t.company_id = s.company_id AND t.kind = s.kind AND t.unit = 'day' AND t.starts = s.starts
        AND t.key IS NOT DISTINCT FROM s.key),
    unlisted AS (DELETE FROM traffic.wandering_places t USING lost p WHERE ${of('t', 'p')} AND ${place.same('t', 'p')})
  INSERT INTO ${targetOf(place)}, settled)
  SELECT company_id, starts, ${place.list()}, ${COUNTED.map(() => '0').join(', ')}, '', '', -1 FROM unmarked;
  ${foldAll}
  DELETE FROM traffic.session_places t USING (SELECT DISTINCT company_id, session_id FROM former) f
  WHERE ${of('t', 'f')} AND t.wanders
    AND NOT EXISTS (SELECT 1 FROM traffic.wandering_places w WHERE ${of('w', 't')});
  ${['request_rollups', 'request_series']
    .map(
      (table) => `DELETE FROM traffic.${table} t USING (
    SELECT DISTINCT company_id, u.unit, date_created / u.ms * u.ms AS starts FROM former CROSS JOIN ${UNITS}) f
  WHERE t.company_id = f.company_id AND t.unit = f.unit AND t.starts = f.starts AND t.recorded = 0;`,
    )
    .join('\n')}`;

const functionSql = (name: string, body: string): string =>
  `CREATE OR REPLACE FUNCTION traffic.${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE gone record; BEGIN ${body} RETURN NULL; END $$`;

/** What the triggers execute. */
export const recordingOf = (place: Place): string[] => [
  functionSql('roll_up_inserted', recordedIn('fresh', place)),
  functionSql('roll_up_updated', corrected(place)),
  functionSql('roll_up_deleted', uncounted(place)),
];

const triggerSql = (name: string, event: string, referencing: string): string =>
  `CREATE TRIGGER ${name} AFTER ${event} ON traffic.requests REFERENCING ${referencing}
    FOR EACH STATEMENT EXECUTE FUNCTION traffic.${name}()`;

export const triggers = [
  triggerSql('roll_up_inserted', 'INSERT', 'NEW TABLE AS fresh'),
  triggerSql('roll_up_updated', 'UPDATE', 'OLD TABLE AS former NEW TABLE AS fresh'),
  triggerSql('roll_up_deleted', 'DELETE', 'OLD TABLE AS former'),
];
