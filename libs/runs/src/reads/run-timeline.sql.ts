import { composed, readStatement } from '@signalbox/database';
import { childIndexOf, primaryKeyOf, type RunTables, timelineIndexOf } from '../run-tables.js';

interface TimelineSource {
  tables: RunTables;
  /** SQL over `t`, a timeline row, with the indexes that it uses: further fields, a jsonb object or null. */
  details?: { sql: string; index: readonly string[] };
  /** Columns of numbers by which the timeline is read as well, each with its index. */
  columns?: Readonly<Record<string, string>>;
}

export type TimelinePages = ReturnType<typeof timelinePages>;
type Order = 'ASC' | 'DESC';

/** A page of the events of a run, of a `family`, which is a run with all below it, or of a value in a column. */
export function timelinePages(source: TimelineSource) {
  const kinds = ['run', 'family', ...Object.keys(source.columns ?? {})];
  return composed(
    (of: string, order: Order) => readStatement({ index: indexesOf(source, of) }, pageSql(source, of, order)),
    ...kinds.flatMap((of): [string, Order][] => [
      [of, 'ASC'],
      [of, 'DESC'],
    ]),
  );
}

function indexesOf({ tables, details, columns = {} }: TimelineSource, of: string): string[] {
  const { runs, timeline, parent } = tables;
  return [
    timelineIndexOf(tables),
    primaryKeyOf(timeline),
    // As long as the table is small, runs above are found by the same index as those below.
    ...(parent ? [of === 'family' ? childIndexOf(tables) : primaryKeyOf(runs)] : []),
    ...(columns[of] ? [columns[of]] : []),
    ...(details?.index ?? []),
  ];
}

function conditionSql(tables: RunTables, of: string): string {
  if (of === 'run') return `t.${tables.key} = $2::uuid`;
  return of === 'family' ? `t.${tables.key} IN (${descendantsSql(tables)})` : `t.${of} = $2::int`;
}

function descendantsSql({ runs, parent }: RunTables): string {
  if (!parent) return '$2::uuid';
  return `WITH RECURSIVE descendants AS (
        SELECT $2::uuid AS id
        UNION
        SELECT c.id FROM descendants f JOIN ${runs} c ON c.company_id = s.company AND c.${parent} = f.id)
      SELECT id FROM descendants`;
}

function entrySql({ tables: { runs, key, parent }, details }: TimelineSource): string {
  const parentId = parent
    ? `, '${parent}', (SELECT k.${parent} FROM ${runs} k WHERE k.company_id = t.company_id AND k.id = t.${key})`
    : '';
  return `jsonb_build_object('type', t.type, 'seq', t.seq, 'timestamp', t.timestamp, '${key}', t.${key}${parentId})
      || t.data || COALESCE(${details?.sql ?? 'NULL::jsonb'}, '{}')`;
}

function pageSql(source: TimelineSource, of: string, order: Order): string {
  const { timeline, key } = source.tables;
  return `SELECT x.page FROM s, LATERAL (
         WITH found AS (
           SELECT t.${key}, t.no FROM ${timeline} t
           WHERE t.company_id = s.company AND ${conditionSql(source.tables, of)} AND ($5::text IS NULL OR t.data::text ILIKE $5)),
         shown AS (SELECT t.* FROM found t ORDER BY t.no ${order} LIMIT $4::int OFFSET $3::bigint),
         begun AS MATERIALIZED (
           SELECT f.${key}, f.no, (SELECT count(*) FROM ${timeline} k
             WHERE k.company_id = s.company AND k.${key} = f.${key} AND k.no < f.no) AS before
           FROM (SELECT ${key}, min(no) AS no FROM shown GROUP BY ${key}) f)
         SELECT json_build_object(
           'data', COALESCE((SELECT json_agg(f.entry ORDER BY f.no ${order}) FROM (
             SELECT t.no, ${entrySql(source)} AS entry FROM shown p JOIN begun b ON b.${key} = p.${key}, LATERAL (
               SELECT e.*, b.before + (SELECT count(*) FROM ${timeline} k
                 WHERE k.company_id = s.company AND k.${key} = e.${key} AND k.no BETWEEN b.no AND e.no) AS seq
               FROM ${timeline} e WHERE e.company_id = s.company AND e.no = p.no) t) f), '[]'::json),
           'pagination', json_build_object('total', (SELECT count(*) FROM found), 'offset', $3::bigint, 'limit', $4::int)
         )::text AS page OFFSET 0) x`;
}
