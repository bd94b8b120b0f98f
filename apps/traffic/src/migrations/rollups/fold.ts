import { COUNTED, dayOf, KINDS, type Place, SHOWN, SKETCHES, UNITS } from './shape.js';

/** Limits of one call: requests, each of which may have a session, and rows of changes. */
const REQUESTS = 20_000;
const ROWS = 2000;

const sums = (names: readonly string[], of = ''): string =>
  names.map((name) => `sum(${of}${name}) AS ${name}`).join(', ');
const sketches = (of = ''): string =>
  SKETCHES.map((name) => `string_agg(${of}${name}, ''::bytea) AS ${name}`).join(', ');
const added = (names: readonly string[]): string =>
  [
    ...names.map((name) => `${name} = t.${name} + EXCLUDED.${name}`),
    ...SKETCHES.map((name) => `${name} = traffic.joined_sketch(t.${name}, EXCLUDED.${name})`),
  ].join(', ');

/** A new request keeps its session in its one place, or marks it as one with several places. */
const sessionsOf = (place: Place): string => `
  places AS MATERIALIZED (SELECT DISTINCT s.session_id, c.starts, ${place.list('c.')}
    FROM taken c CROSS JOIN LATERAL unnest(c.sessions) s(session_id)),
  marked AS (
    INSERT INTO traffic.session_places AS t (company_id, session_id, starts, ${place.list()}, wanders)
    SELECT DISTINCT ON (session_id) company, session_id, starts, ${place.list()}, count(*) OVER (PARTITION BY session_id) > 1
    FROM places ORDER BY session_id, starts DESC
    ON CONFLICT (company_id, session_id) DO UPDATE SET wanders = true, starts = GREATEST(t.starts, EXCLUDED.starts)
      WHERE t.wanders OR EXCLUDED.wanders OR NOT ${place.same('t', 'EXCLUDED')}
    RETURNING WITH (OLD AS was) t.*, was.starts AS old_starts,
      ${place
        .list('was.')
        .split(', ')
        .map((column) => `${column} AS ${column.replace('was.', 'old_')}`)
        .join(', ')}, was.wanders AS wandered),
  settled AS (
    SELECT starts, ${place.list()}, 1 AS delta FROM marked WHERE NOT wanders
    UNION ALL SELECT old_starts, ${place.list('old_')}, -1 FROM marked WHERE wanders AND NOT wandered),
  known AS MATERIALIZED (SELECT w.* FROM traffic.wandering_places w JOIN marked m USING (company_id, session_id)
    WHERE m.wandered),
  states AS (
    SELECT later, true AS listed, session_id, starts, ${place.list()}, crosses FROM known, (VALUES (false), (true)) v(later)
    UNION ALL SELECT true, false, p.session_id, p.starts, ${place.list('p.')}, false
      -- As a truth value it is looked up in a hash; as a join it could be a loop in a loop, because the sizes are unknown.
      FROM places p WHERE (p.session_id IN (SELECT session_id FROM marked WHERE wanders)) IS TRUE
    UNION ALL SELECT true, false, session_id, old_starts, ${place.list('old_')}, false FROM marked WHERE wanders AND NOT wandered),
  judged AS MATERIALIZED (
    SELECT f.*, bool_or(crosses) OVER s OR min(${dayOf('starts')}) OVER s <> max(${dayOf('starts')}) OVER s AS crossing
    FROM states f WINDOW s AS (PARTITION BY session_id, later)),
  listed AS (
    INSERT INTO traffic.wandering_places (company_id, session_id, starts, ${place.list()}, crosses)
    SELECT company, session_id, starts, ${place.list()}, bool_or(crossing) FROM judged WHERE later
    GROUP BY session_id, starts, ${place.list()} HAVING NOT bool_or(listed) OR bool_or(listed AND crossing AND NOT crosses)
    ON CONFLICT (company_id, session_id, starts, ${place.list()}) DO UPDATE SET crosses = EXCLUDED.crosses),
  wanderers AS (
    SELECT starts, kind, key, sum(CASE WHEN later THEN 1 ELSE -1 END) AS sessions FROM (
      SELECT DISTINCT f.session_id, f.later, ${dayOf('f.starts')} AS starts, k.kind, k.key
      FROM judged f ${KINDS} WHERE NOT f.crossing AND ${SHOWN}
    ) d GROUP BY starts, kind, key)`;

const activity = `
  counted AS (
    INSERT INTO traffic.activity AS t
      (company_id, application_id, intent_id, intent_group_id, model, request_count, last_activity)
    SELECT company, application_id, COALESCE(intent_id, 0), max(intent_group_id), model, sum(recorded), max(last_at)
    FROM taken WHERE recorded > 0 AND application_id IS NOT NULL GROUP BY application_id, COALESCE(intent_id, 0), model
    ON CONFLICT (company_id, application_id, intent_id, model) DO UPDATE SET
      request_count = t.request_count + EXCLUDED.request_count,
      last_activity = GREATEST(t.last_activity, EXCLUDED.last_activity))`;

const SUMMED = [...COUNTED, 'settled'];
/** Each change is added to about a dozen rows. */
const compact = SKETCHES.map(
  (name) => `CASE WHEN length(${name}) <= 300 THEN ${name} ELSE traffic.compact_sketch(${name}) END AS ${name}`,
).join(', ');
const factsOf = (place: Place): string => `
  facts AS MATERIALIZED (
    SELECT starts, ${place.list()}, ${SUMMED.join(', ')}, ${compact} FROM (
    SELECT starts, ${place.list()}, ${sums(SUMMED)}, ${sketches()} FROM (
      SELECT starts, ${place.list()}, ${SUMMED.join(', ')}, ${SKETCHES.join(', ')} FROM taken
      UNION ALL SELECT starts, ${place.list()}, ${COUNTED.map(() => '0').join(', ')}, delta, '', '' FROM settled
    ) c GROUP BY starts, ${place.list()}) f)`;

const rolledOf = (place: Place): string => `
  rolled AS (
    INSERT INTO traffic.request_rollups AS t
      (company_id, unit, starts, ${place.list()}, ${SUMMED.join(', ')}, ${SKETCHES.join(', ')})
    SELECT company, u.unit, f.starts / u.ms * u.ms, ${place.list('f.')}, ${sums(SUMMED, 'f.')}, ${sketches('f.')}
    FROM facts f CROSS JOIN ${UNITS} GROUP BY u.unit, 3, ${place.list('f.')}
    ON CONFLICT (company_id, unit, starts, ${place.list()}) DO UPDATE SET ${added(SUMMED)})`;

const IN_SERIES = [...COUNTED, 'sessions'];
const series = `
  INSERT INTO traffic.request_series AS t
    (company_id, unit, starts, kind, key, ${IN_SERIES.join(', ')}, ${SKETCHES.join(', ')})
  SELECT company, unit, starts, kind, key, ${sums(IN_SERIES)}, ${sketches()} FROM (
    SELECT u.unit, f.starts / u.ms * u.ms AS starts, k.kind, k.key, ${COUNTED.map((name) => `f.${name}`).join(', ')},
      f.settled AS sessions, ${SKETCHES.map((name) => `f.${name}`).join(', ')}
    FROM facts f ${KINDS} CROSS JOIN ${UNITS} WHERE ${SHOWN}
    UNION ALL
    SELECT 'day', starts, kind, key, ${COUNTED.map(() => '0').join(', ')}, sessions, '', '' FROM wanderers
  ) c GROUP BY unit, starts, kind, key
  ON CONFLICT (company_id, kind, unit, starts, key) DO UPDATE SET ${added(IN_SERIES)}`;

/**
 * Adds pending changes to the rollups in one statement, so that a reader sees each change exactly once. One call at a
 * time per company; returns whether there may be more changes.
 */
export const foldOf = (
  place: Place,
): string => `CREATE OR REPLACE FUNCTION traffic.fold_rollups(company int) RETURNS boolean LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE ids bigint[]; last bigint;
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM traffic.rollup_changes c WHERE c.company_id = company) THEN
      RETURN false;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('traffic rollups ' || company, 0));
    last := (SELECT max(c.id) FROM traffic.rollup_changes c WHERE c.company_id = company);
    ids := ARRAY(SELECT id FROM (
        SELECT id, sum(recorded) OVER (ORDER BY id) - recorded AS before
        FROM (SELECT c.id, GREATEST(c.recorded, 0) AS recorded FROM traffic.rollup_changes c
          WHERE c.company_id = company ORDER BY c.id LIMIT ${ROWS}) c
      ) c WHERE before < ${REQUESTS});
    WITH taken AS MATERIALIZED (
        DELETE FROM traffic.rollup_changes c WHERE c.company_id = company AND c.id = ANY (ids) RETURNING c.*),
      ${[sessionsOf(place), activity, factsOf(place), rolledOf(place)].join(',')}
    ${series};
    RETURN EXISTS (SELECT 1 FROM traffic.rollup_changes c WHERE c.company_id = company AND c.id <= last);
  END $$`;
