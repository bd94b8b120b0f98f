import { hasNamedStatements } from './connections.js';
import { type ApiError, invalidField } from '@signalbox/contracts';
import { createHash } from 'node:crypto';
import { likeText } from './like-text.js';

/** Maps rows of a resource to JSON, with search and sort fields. */
export interface View {
  /** As in «… not found». */
  resource: string;
  /** `schema.table`, aliased `t` in every expression. */
  table: string;
  columns: readonly string[];
  /** SQL over `t`; subqueries must name the company. */
  computed?: Readonly<Record<string, string>>;
  /** Only in the full view, such as the parts of a composed resource. */
  detail?: Readonly<Record<string, string>>;
  /** Fields of up to megabytes each; their sum bounds a page. */
  bodies?: Readonly<Record<string, string>>;
  /** Matched by `search`; default the key. */
  search?: readonly string[];
  /** In addition to id, date_created and date_updated. */
  sort?: Readonly<Record<string, string>>;
  /** Conditions of lists by input field; `?` stands for the value. See `filtersOf`. */
  filters?: Readonly<Record<string, string>>;
  /** The key after `company_id`; default `id`. */
  key?: string;
  /** For `sort=id` and ties when the key is not the serial number; default the key. */
  serial?: string;
  /** One index finds a row of a company by its serial number, so that pages in that order need no other look-up. */
  isFoundByNumber?: boolean;
  /** Rows are numbered within a parent that a filter names, so the number alone identifies no row. */
  isNumberedInParent?: boolean;
  /** SQL; default `t.deleted_at IS NULL`. */
  alive?: string;
  /** ORDER BY: the first of several rows with one key is the one that is read by it. Without it a key has one row. */
  preferred?: string;
  /** Left out of events because they can be large. */
  large?: readonly string[];
  /** Default `int`. */
  keyType?: 'int' | 'bigint' | 'uuid' | 'text';
}

const selected = (fields: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries(fields).map(([name, expression]) => `${expression} AS "${name}"`);

export function fieldsSql(view: View, full: boolean): string {
  return [
    ...view.columns.map((column) => `t."${column}"`),
    ...selected(view.computed),
    ...selected(view.bodies),
    ...(full ? selected(view.detail) : []),
  ].join(', ');
}

export const rowSql = (view: View): string => `(SELECT row_to_json(f)::text FROM (SELECT ${fieldsSql(view, true)}) f)`;

const searchedSql = (view: View): readonly string[] => view.search ?? [`${keySql(view)}::text`];

export const aliveSql = (view: View): string => view.alive ?? 't.deleted_at IS NULL';

/** Ends a statement that reads a row by its key. */
export const preferredSql = ({ preferred }: View): string =>
  preferred === undefined ? '' : `ORDER BY ${preferred} LIMIT 1`;

export const keySql = (view: View): string => `t."${view.key ?? 'id'}"`;

const serialSql = (view: View): string => view.serial ?? keySql(view);

/** A read that sets the company itself; see `Database.select`. */
export const scopedSql = (text: string): string =>
  `WITH s AS MATERIALIZED (SELECT set_config('app.company', $1::text, true)::int AS company) ${text}`;

const names = new Map<string, string>();

/** Equal texts have equal names; empty where a pooler forgets prepared statements. */
export function statementName(text: string): string {
  if (!hasNamedStatements()) return '';
  let name = names.get(text);
  if (!name) {
    name = createHash('sha1').update(text).digest('base64url');
    names.set(text, name);
  }
  return name;
}

/**
 * Reads many keys of many companies in one statement. `set_config` runs per key, and a lateral subquery that depends on
 * its result looks the row up, so row-level security applies with the company of that key. `generate_subscripts` has a
 * constant row estimate; with `unnest` it depends on the keys, and Postgres would plan every read anew.
 */
export function readManySql(view: View): string {
  let text = readManyTexts.get(view);
  if (!text)
    readManyTexts.set(view, (text = lookupSql(view, [{ column: view.key ?? 'id', type: view.keyType ?? 'int' }])));
  return text;
}

const readManyTexts = new WeakMap<View, string>();

export interface KeyColumn {
  column: string;
  type: NonNullable<View['keyType']>;
}

/** By any key: the first parameter is the list of companies, each further one the values of a column. */
export function lookupSql(view: View, key: readonly KeyColumn[]): string {
  const isKey = key.map(({ column, type }, index) => `t."${column}" = ($${index + 2}::${type}[])[n]`).join(' AND ');
  return `SELECT r.body FROM generate_subscripts($1::int[], 1) n
    CROSS JOIN LATERAL (SELECT set_config('app.company', ($1::int[])[n]::text, true) AS company OFFSET 0) s
    LEFT JOIN LATERAL (
      SELECT row_to_json(f)::text AS body FROM (
        SELECT ${fieldsSql(view, true)} FROM ${view.table} t
        WHERE t.company_id = s.company::int AND ${isKey} AND ${aliveSql(view)} ${preferredSql(view) || 'OFFSET 0'}
      ) f
    ) r ON true ORDER BY n`;
}

export interface Filter {
  sql: string;
  value: unknown;
}

export const filtersOf = ({ filters = {} }: Pick<View, 'filters'>, input: object): Filter[] => {
  const given = input as Record<string, unknown>;
  return Object.entries(filters).flatMap(([name, sql]) =>
    given[name] === undefined ? [] : [{ sql, value: given[name] }],
  );
};

export interface ListOptions {
  /** The number of selected rows from elsewhere; asked when there are many. */
  countMany?: () => Promise<number>;
  offset: number;
  limit: number;
  search?: string;
  sort: string;
  filters?: readonly Filter[];
}

const BY_DEFAULT: Record<string, string> = { id: '', date_created: 't.date_created', date_updated: 't.date_updated' };

/** Never null: their indexes have the default order of Postgres, nulls last. */
const NEVER_NULL = new Set(['t.date_created', 't.last_activity', 't.last_request_at', 't.no', 't.position']);

export const sortRule = ({ sort }: View): string => mustBeOneOf(Object.keys({ ...BY_DEFAULT, ...sort }));

export const mustBeOneOf = (names: readonly string[]): string =>
  `must be one of ${names.join(', ')}, with a leading "-" for descending order`;

/**
 * Null when the view does not offer the field. A missing value sorts as the smallest, so one index with `NULLS FIRST`
 * serves both directions.
 */
export function sortSql(view: View, sort: string): string | null {
  const descending = sort.startsWith('-');
  const name = descending ? sort.slice(1) : sort;
  const offered = { ...BY_DEFAULT, ...view.sort };
  // A client may send names of inherited properties, such as `toString`.
  if (!Object.hasOwn(offered, name)) return null;
  const expression = name === 'id' ? serialSql(view) : offered[name];
  const direction = descending ? 'DESC' : 'ASC';
  if (expression === serialSql(view)) return `${expression} ${direction}`;
  const nulls = NEVER_NULL.has(String(expression)) ? '' : descending ? ' NULLS LAST' : ' NULLS FIRST';
  return `${expression} ${direction}${nulls}, ${serialSql(view)} ${direction}`;
}

/** Bytes of bodies in a page of more than one row; the rest of a reply is far smaller. */
export const PAGE_BYTES = 12_582_912;

export const pageTooLarge = (): ApiError =>
  invalidField('limit', `must be smaller: the bodies of the page have more than ${PAGE_BYTES} bytes`);

function isTooLargeSql(bodies: Readonly<Record<string, string>>, rows: string, limit: string): string {
  const bytes = Object.values(bodies).map((body) => `COALESCE(octet_length((${body})::text), 0)`);
  return `(${limit}::int > 1 AND (SELECT COALESCE(sum(${bytes.join(' + ')}), 0) FROM (${rows}) t) > ${PAGE_BYTES})`;
}

/** Rows that are counted with the page; more are counted separately, possibly estimated. */
export const COUNTED_WITH_PAGE = 5000;

/** Up to this many rows are read by serial number, because selecting them again may read all rows. */
const FEW = 100;

/** The count up to a bound, and the serial numbers when they are at most `most`. */
const countedSql = (view: View, all: string, most: number): string => `count(*) AS total,
  CASE WHEN count(*) <= ${most} THEN COALESCE(array_agg(r.serial), '{}') END AS few
  FROM (SELECT ${serialSql(view)} AS serial FROM ${all} LIMIT ${COUNTED_WITH_PAGE + 1}) r`;

/** From this offset on, skipped rows are read from the index alone where it covers the condition and order. */
const FAR_DOWN = 1000;

interface FoundRows {
  where: string;
  page: string;
  isFar: boolean;
}

/** One by one, in a loop whatever the planner expects. */
const numbered = (view: View, serials: string): string =>
  `SELECT t.* FROM (${serials}) k CROSS JOIN LATERAL (SELECT t.* FROM ${view.table} t
    WHERE t.company_id = s.company::int AND ${serialSql(view)} = k.serial LIMIT 1) t`;

/** Pages far down are read by serial number. */
function found(view: View, { where, page, isFar }: FoundRows): string {
  const select = (fields: string): string => `SELECT ${fields} FROM ${view.table} t WHERE ${where} ${page}`;
  return isFar ? numbered(view, select(`${serialSql(view)} AS serial`)) : select('t.*');
}

const isByNumber = (view: View, order: string): boolean =>
  view.isFoundByNumber === true && order.startsWith(`${serialSql(view)} `);

/** In the order of the numbers, only the rows of the page are read, of however many that were counted. */
function fewRows(view: View, page: string, order: string): string {
  if (isByNumber(view, order))
    return numbered(view, `SELECT n.serial FROM unnest(c.few) n(serial) ${page.replace(serialSql(view), 'n.serial')}`);
  const where = `t.company_id = s.company::int AND ${serialSql(view)} = ANY (c.few)`;
  return found(view, { where, page, isFar: false });
}

function fewOrMany(view: View, { where, page, isFar }: FoundRows, order: string): string {
  return `(${fewRows(view, page, order)})
    UNION ALL (${found(view, { where: `${where} AND c.few IS NULL`, page, isFar })})`;
}

/** A FROM clause whose `$1` is the company, and its other values. */
export interface SelectedRows {
  from: string;
  values: readonly unknown[];
  areNarrowed: boolean;
}

interface PageSql {
  text: string;
  values: unknown[];
  selected: SelectedRows;
}

/**
 * One page with its total, counted up to a bound, as JSON text; null when its bodies are too large together. `$1` is
 * the company. Fields are computed for the rows of the page only, not for all that are sorted.
 */
export function listSql(view: View, options: ListOptions, order: string): PageSql {
  const values: unknown[] = [];
  const place = (value: unknown): string => `$${values.push(value) + 1}`;
  const conditions = [`t.company_id = s.company::int`, aliveSql(view)];
  for (const { sql, value } of options.filters ?? []) {
    const at = sql.includes('?') ? place(value) : '';
    conditions.push(sql.replaceAll('?', at));
  }
  if (options.search) {
    const at = place(likeText(options.search));
    conditions.push(
      `(${searchedSql(view)
        .map((expression) => `${expression} ILIKE ${at}`)
        .join(' OR ')})`,
    );
  }
  const where = conditions.join(' AND ');
  const all = `${view.table} t WHERE ${where}`;
  const from = `(SELECT $1::text AS company) s, LATERAL (SELECT 1 FROM ${all}) r`;
  const selected = { from, values: [...values], areNarrowed: conditions.length > 2 };
  const [limit, offset] = [place(options.limit), place(options.offset)];
  const page = `ORDER BY ${order} LIMIT ${limit}::int OFFSET ${offset}::bigint`;
  const isFar = options.offset >= FAR_DOWN && !view.isNumberedInParent;
  const rows =
    selected.areNarrowed && !view.isNumberedInParent
      ? fewOrMany(view, { where, page, isFar }, order)
      : found(view, { where, page, isFar });
  const unlessTooLarge = view.bodies ? `CASE WHEN NOT ${isTooLargeSql(view.bodies, rows, limit)} THEN` : '';
  const text = `SELECT p.page, p.total FROM (SELECT set_config('app.company', $1::text, true) AS company OFFSET 0) s
    CROSS JOIN LATERAL (SELECT c.total, ${unlessTooLarge} json_build_object(
      'data', COALESCE((SELECT json_agg(row_to_json(f)) FROM (
        SELECT ${fieldsSql(view, false)} FROM (${rows}) t ORDER BY ${order}) f), '[]'::json),
      'pagination', json_build_object(
        'total', c.total, 'offset', ${offset}::bigint, 'limit', ${limit}::int)
    )::text ${view.bodies ? 'END' : ''} AS page FROM (SELECT ${countedSql(view, all, isByNumber(view, order) ? COUNTED_WITH_PAGE : FEW)} OFFSET 0) c OFFSET 0) p`;
  return { text, values, selected };
}
