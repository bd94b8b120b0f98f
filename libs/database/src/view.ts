import { hasNamedStatements } from './connections.js';
import { type ApiError, invalidField } from '@signalbox/contracts';
import { createHash } from 'node:crypto';
import { likeText } from './like-text.js';

/** The view of a resource: the mapping of its rows to wire JSON, and its search and sort fields. */
export interface View {
  /** Name of the resource in «… not found». */
  resource: string;
  /** `schema.table`, aliased `t` in every expression. */
  table: string;
  /** Columns that are returned unchanged. */
  columns: readonly string[];
  /** Further fields as SQL expressions over `t`; subqueries name their company. */
  computed?: Readonly<Record<string, string>>;
  /** Fields of the full view only, such as the parts of a composed resource. */
  detail?: Readonly<Record<string, string>>;
  /** Further fields that can be megabytes each; a page of them is bounded by its bytes. */
  bodies?: Readonly<Record<string, string>>;
  /** Expressions matched by `search`: names, or what a reader knows a row by; default the key. */
  search?: readonly string[];
  /** Sortable fields in addition to id, date_created and date_updated, with their expressions. */
  sort?: Readonly<Record<string, string>>;
  /** Conditions of its lists by the input field that gives their value, which `?` stands for; see `filtersOf`. */
  filters?: Readonly<Record<string, string>>;
  /** Field of the primary key after `company_id`; default `id`. */
  key?: string;
  /** The column for `sort=id` and tie-breaking when the key is not the serial number; default the key. */
  serial?: string;
  /** The rows are numbered within a parent that a filter names: the number alone does not say which row it is. */
  isNumberedInParent?: boolean;
  /** Condition for the existence of a row; default `t.deleted_at IS NULL`. */
  alive?: string;
  /** Fields that events leave out because they can be large. */
  large?: readonly string[];
  /** Type of the key column; default `int`. */
  keyType?: 'int' | 'bigint' | 'uuid' | 'text';
}

const selected = (fields: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries(fields).map(([name, expression]) => `${expression} AS "${name}"`);

/** The select list of a view. */
export function fieldsSql(view: View, full: boolean): string {
  return [
    ...view.columns.map((column) => `t."${column}"`),
    ...selected(view.computed),
    ...selected(view.bodies),
    ...(full ? selected(view.detail) : []),
  ].join(', ');
}

/** The JSON text of one row `t` of a view, as an expression of a statement that reads or writes the row. */
export const rowSql = (view: View): string => `(SELECT row_to_json(f)::text FROM (SELECT ${fieldsSql(view, true)}) f)`;

const searchedSql = (view: View): readonly string[] => view.search ?? [`${keySql(view)}::text`];

/** The condition under which a row exists. */
export const aliveSql = (view: View): string => view.alive ?? 't.deleted_at IS NULL';

/** The key column of a view. */
export const keySql = (view: View): string => `t."${view.key ?? 'id'}"`;

const serialSql = (view: View): string => view.serial ?? keySql(view);

/** The text of a read that sets the company itself; see `Database.select`. */
export const scopedSql = (text: string): string =>
  `WITH s AS MATERIALIZED (SELECT set_config('app.company', $1::text, true)::int AS company) ${text}`;

const names = new Map<string, string>();

/** Returns the name of a prepared statement; equal texts have equal names, empty ones where a pooler forgets them. */
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
 * Reads many keys of many companies in one statement. `set_config` runs once per key and the row is looked up in a
 * lateral subquery that depends on its result, so row-level security applies with the company of that key; in any other
 * order no row would be visible. `generate_subscripts` has a constant row estimate; the estimate of `unnest` depends on
 * the keys, so that Postgres would prefer a custom plan and plan every read anew.
 */
export function readManySql(view: View): string {
  let text = readManyTexts.get(view);
  if (!text)
    readManyTexts.set(view, (text = lookupSql(view, [{ column: view.key ?? 'id', type: view.keyType ?? 'int' }])));
  return text;
}

const readManyTexts = new WeakMap<View, string>();

/** A column of the key of a look-up, with its type. */
export interface KeyColumn {
  column: string;
  type: NonNullable<View['keyType']>;
}

/** The same by any key: the first parameter is the list of companies, each further one the list of a column's values. */
export function lookupSql(view: View, key: readonly KeyColumn[]): string {
  const isKey = key.map(({ column, type }, index) => `t."${column}" = ($${index + 2}::${type}[])[n]`).join(' AND ');
  return `SELECT r.body FROM generate_subscripts($1::int[], 1) n
    CROSS JOIN LATERAL (SELECT set_config('app.company', ($1::int[])[n]::text, true) AS company OFFSET 0) s
    LEFT JOIN LATERAL (
      SELECT row_to_json(f)::text AS body FROM (
        SELECT ${fieldsSql(view, true)} FROM ${view.table} t
        WHERE t.company_id = s.company::int AND ${isKey} AND ${aliveSql(view)} OFFSET 0
      ) f
    ) r ON true ORDER BY n`;
}

/** A condition of a list; `?` stands for the value. */
export interface Filter {
  sql: string;
  value: unknown;
}

/** The conditions of a view for the fields of an input that are given. */
export const filtersOf = ({ filters = {} }: Pick<View, 'filters'>, input: object): Filter[] => {
  const given = input as Record<string, unknown>;
  return Object.entries(filters).flatMap(([name, sql]) =>
    given[name] === undefined ? [] : [{ sql, value: given[name] }],
  );
};

/** Parameters of a list. */
export interface ListOptions {
  /** The number of the selected rows where something else knows it; asked when there are many. */
  countMany?: () => Promise<number>;
  offset: number;
  limit: number;
  search?: string;
  sort: string;
  filters?: readonly Filter[];
}

const BY_DEFAULT: Record<string, string> = { id: '', date_created: 't.date_created', date_updated: 't.date_updated' };

/** Columns that are never null, with indexes in the order of Postgres, which has nulls last. */
const NEVER_NULL = new Set(['t.date_created', 't.last_activity', 't.last_request_at', 't.no', 't.position']);

/** The rule for `sort` values that are not fields of a view. */
export const sortRule = ({ sort }: View): string => mustBeOneOf(Object.keys({ ...BY_DEFAULT, ...sort }));

/** The rule for lists without a view. */
export const mustBeOneOf = (names: readonly string[]): string =>
  `must be one of ${names.join(', ')}, with a leading "-" for descending order`;

/**
 * The expression that a list is sorted by, or null when the view does not offer it. A missing value is the smallest: one
 * index with `NULLS FIRST` has both orders then.
 */
export function sortSql(view: View, sort: string): string | null {
  const descending = sort.startsWith('-');
  const name = descending ? sort.slice(1) : sort;
  const offered = { ...BY_DEFAULT, ...view.sort };
  // Inherited properties such as `toString` are not sort fields, but a client may send their names.
  if (!Object.hasOwn(offered, name)) return null;
  const expression = name === 'id' ? serialSql(view) : offered[name];
  const direction = descending ? 'DESC' : 'ASC';
  if (expression === serialSql(view)) return `${expression} ${direction}`;
  const nulls = NEVER_NULL.has(String(expression)) ? '' : descending ? ' NULLS LAST' : ' NULLS FIRST';
  return `${expression} ${direction}${nulls}, ${serialSql(view)} ${direction}`;
}

/** The bytes of bodies in a page of more than one row; the rest of a reply, which the bus carries, is far smaller. */
export const PAGE_BYTES = 12_582_912;

/** 400 for a page whose bodies are too large together. */
export const pageTooLarge = (): ApiError =>
  invalidField('limit', `must be smaller: the bodies of the page have more than ${PAGE_BYTES} bytes`);

/** True when the rows of a page have more bytes of bodies than a reply carries. */
function isTooLargeSql(bodies: Readonly<Record<string, string>>, rows: string, limit: string): string {
  const bytes = Object.values(bodies).map((body) => `COALESCE(octet_length((${body})::text), 0)`);
  return `(${limit}::int > 1 AND (SELECT COALESCE(sum(${bytes.join(' + ')}), 0) FROM (${rows}) t) > ${PAGE_BYTES})`;
}

/** Up to so many rows are counted as a page is read: more are counted once, and not always by reading them. */
export const COUNTED_WITH_PAGE = 5000;

/** So few rows are read by their serial numbers: to select them a second time may be to read all rows again. */
const FEW = 100;

/** The number of rows up to a bound, and the serial numbers of few. */
const countedSql = (view: View, all: string): string => `count(*) AS total,
  CASE WHEN count(*) <= ${FEW} THEN COALESCE(array_agg(r.serial), '{}') END AS few
  FROM (SELECT ${serialSql(view)} AS serial FROM ${all} LIMIT ${COUNTED_WITH_PAGE + 1}) r`;

/** From this offset on the rows that are skipped are not read where an index has what they are selected and sorted by. */
const FAR_DOWN = 1000;

interface FoundRows {
  where: string;
  /** Order, limit and offset. */
  page: string;
  isFar: boolean;
}

/** The rows of a page; those far down by their serial numbers, in a loop however many the planner expects. */
function found(view: View, { where, page, isFar }: FoundRows): string {
  const select = (fields: string): string => `SELECT ${fields} FROM ${view.table} t WHERE ${where} ${page}`;
  if (!isFar) return select('t.*');
  return `SELECT t.* FROM (${select(`${serialSql(view)} AS serial`)}) k CROSS JOIN LATERAL (SELECT t.* FROM ${view.table} t
    WHERE t.company_id = s.company::int AND ${serialSql(view)} = k.serial LIMIT 1) t`;
}

/** The same, where `c` has counted them. */
function fewOrMany(view: View, { where, page, isFar }: FoundRows): string {
  const few = `t.company_id = s.company::int AND ${serialSql(view)} = ANY (c.few)`;
  return `(${found(view, { where: few, page, isFar: false })})
    UNION ALL (${found(view, { where: `${where} AND c.few IS NULL`, page, isFar })})`;
}

/** The rows that a list selects: a FROM clause whose `$1` is the company, and its other values. */
export interface SelectedRows {
  from: string;
  values: readonly unknown[];
  /** Whether filters select them from the rows of the company. */
  areNarrowed: boolean;
}

/** The statement of a page. */
interface PageSql {
  text: string;
  values: unknown[];
  selected: SelectedRows;
}

/**
 * One page with its total, counted up to a bound, as one JSON text, null when its bodies are too large together; `$1` is
 * the company. Fields are computed for the rows of the page alone: in one select they would be computed for every row that is sorted.
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
      ? fewOrMany(view, { where, page, isFar })
      : found(view, { where, page, isFar });
  const unlessTooLarge = view.bodies ? `CASE WHEN NOT ${isTooLargeSql(view.bodies, rows, limit)} THEN` : '';
  const text = `SELECT p.page, p.total FROM (SELECT set_config('app.company', $1::text, true) AS company OFFSET 0) s
    CROSS JOIN LATERAL (SELECT c.total, ${unlessTooLarge} json_build_object(
      'data', COALESCE((SELECT json_agg(row_to_json(f)) FROM (
        SELECT ${fieldsSql(view, false)} FROM (${rows}) t ORDER BY ${order}) f), '[]'::json),
      'pagination', json_build_object(
        'total', c.total, 'offset', ${offset}::bigint, 'limit', ${limit}::int)
    )::text ${view.bodies ? 'END' : ''} AS page FROM (SELECT ${countedSql(view, all)} OFFSET 0) c OFFSET 0) p`;
  return { text, values, selected };
}
