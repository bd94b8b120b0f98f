import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  listSql,
  readManySql,
  rolesOf,
  SCHEMA_STATEMENTS,
  scopedSql,
  sortSql,
  Statement,
  type View,
} from '@signalbox/database';
import { Client } from 'pg';

interface Named {
  name: string;
  statement: Statement;
  /** Indexes of views depend on filter and sort, so they are not declared. */
  declared: boolean;
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Conflict Arbiter Indexes'?: string[];
  Plans?: Plan[];
}

const isView = (value: unknown): value is View =>
  typeof value === 'object' && value !== null && 'table' in value && 'columns' in value;

const variantsOf = (value: unknown): Statement[] => {
  if (value instanceof Statement) return [value];
  if (typeof value !== 'function' || !('variants' in value)) return [];
  const build = value as ((...parts: unknown[]) => Statement) & { variants: unknown[][] };
  return build.variants.map((parts) => build(...parts));
};

function readsOf(view: View): [what: string, text: string][] {
  const page = { offset: 0, limit: 20, sort: 'id' };
  const list = (options: object, sort = 'id'): string =>
    listSql(view, { ...page, ...options }, sortSql(view, sort) ?? '').text;
  return [
    ['by key', readManySql(view)],
    ['list', list({})],
    ['far down', list({ offset: 10_000 })],
    ['search', list({ search: 'x' })],
    ...Object.keys(view.sort ?? {}).map((name): [string, string] => [`sort ${name}`, list({}, `-${name}`)]),
    ...Object.entries(view.filters ?? {}).map(([name, sql]): [string, string] => [
      `filter ${name}`,
      list({ filters: [{ sql, value: null }] }),
    ]),
  ];
}

function named(place: string, key: string, value: unknown): Named[] {
  const name = `${place} ${key}`;
  if (isView(value))
    return readsOf(value).map(([what, text]) => ({
      name: `${name} (${what})`,
      statement: new Statement('transaction', [], text),
      declared: false,
    }));
  if (typeof value === 'object' && value !== null && !(value instanceof Statement))
    return Object.entries(value).flatMap(([each, inner]: [string, unknown]) => named(name, each, inner));
  return variantsOf(value).map((statement, at, { length }) => ({
    name: `${name}${length > 1 ? ` (variant ${at + 1})` : ''}`,
    statement,
    declared: true,
  }));
}

async function statementsBelow(folder: URL): Promise<Named[]> {
  const root = fileURLToPath(folder);
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.sql.js')).sort();
  const found: Named[] = [];
  for (const file of files) {
    const exported = (await import(pathToFileURL(join(root, file)).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) found.push(...named(file, name, value));
  }
  return found;
}

async function sharedStatements(client: Client, service: string): Promise<Named[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT relname AS name FROM pg_class WHERE relnamespace = $1::regnamespace',
    [`"${service}"`],
  );
  const tables = new Set(rows.map(({ name }) => name));
  return SCHEMA_STATEMENTS.filter(({ table }) => tables.has(table)).flatMap(({ table, of }) =>
    named(service, table, of(service)),
  );
}

function indexesOf(plan: Plan, found = new Set<string>()): Set<string> {
  if (plan['Index Name'] !== undefined) found.add(plan['Index Name']);
  for (const arbiter of plan['Conflict Arbiter Indexes'] ?? []) found.add(arbiter);
  for (const each of plan.Plans ?? []) indexesOf(each, found);
  return found;
}

function tablesReadWhole(plan: Plan, found: string[] = []): string[] {
  if (plan['Node Type'] === 'Seq Scan') found.push(plan['Relation Name'] ?? '');
  for (const each of plan.Plans ?? []) tablesReadWhole(each, found);
  return found;
}

interface Index {
  firstColumn: string;
  /** The index of the whole table, for one of a partition; else its own name. */
  whole: string;
}

/** Indexes read whole, because the conditions leave their first column open. */
function indexesReadWhole(plan: Plan, indexes: ReadonlyMap<string, Index>): string[] {
  const { 'Index Name': name = '', 'Index Cond': condition } = plan;
  const index = indexes.get(name);
  const isWhole = condition !== undefined && index !== undefined && !condition.includes(index.firstColumn);
  return [...(isWhole ? [index.whole] : []), ...(plan.Plans ?? []).flatMap((each) => indexesReadWhole(each, indexes))];
}

/** Partitions are named after their days, so their indexes count as those of the whole table. */
const INDEXES = `SELECT c.oid, c.relname AS name, w.relname AS whole, pg_get_indexdef(c.oid, 1, false) AS first
  FROM pg_class c JOIN pg_class w ON w.oid = COALESCE(pg_partition_root(c.oid), c.oid)
  WHERE c.relkind IN ('i', 'I') AND c.relnamespace = $1::regnamespace`;

/** On an empty table Postgres chooses among equal indexes by chance: without the others, the declared ones must do. */
const HIDE_OTHERS = `UPDATE pg_index i SET indisvalid = false FROM (${INDEXES}) x
  WHERE x.oid = i.indexrelid AND x.whole <> ALL ($2::text[])`;

/** Plans a statement as its role without values: names, types and rights are checked, and nothing is run. */
async function planOf(
  client: Client,
  service: string,
  { runsIn, text }: Statement,
  only?: readonly string[],
): Promise<Plan> {
  const { runtime, worker } = rolesOf(service);
  await client.query('BEGIN');
  try {
    if (only) {
      await client.query('SET LOCAL allow_system_table_mods = on');
      await client.query(HIDE_OTHERS, [`"${service}"`, only]);
    }
    await client.query(`SET LOCAL ROLE ${runsIn === 'worker' ? worker : runtime}`);
    // An empty table would be read whole although there is an index.
    await client.query(`SET LOCAL enable_seqscan = off; SELECT set_config('app.company', '1', true)`);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${runsIn === 'read' ? scopedSql(text) : text}`,
    );
    return rows[0]?.['QUERY PLAN'][0].Plan ?? { 'Node Type': 'none' };
  } finally {
    await client.query('ROLLBACK');
  }
}

const listOf = (indexes: Iterable<string>): string => [...indexes].sort().join(', ') || 'none';

async function indexesIn(client: Client, service: string): Promise<Map<string, Index>> {
  const { rows } = await client.query<{ name: string; whole: string; first: string }>(INDEXES, [`"${service}"`]);
  return new Map(rows.map(({ name, whole, first }) => [name, { firstColumn: first, whole }]));
}

const usedBy = (plan: Plan, indexes: ReadonlyMap<string, Index>): string =>
  listOf(new Set([...indexesOf(plan)].flatMap((name) => indexes.get(name)?.whole ?? [])));

interface Checked {
  client: Client;
  service: string;
  indexes: ReadonlyMap<string, Index>;
}

async function faultOf({ client, service, indexes }: Checked, { name, statement, declared }: Named): Promise<string[]> {
  try {
    let plan = await planOf(client, service, statement);
    if (!declared) return [];
    const said = listOf(statement.indexes);
    const used = usedBy(plan, indexes);
    if (used !== said) {
      const fault = [`${name} uses ${used}, and declares ${said}`];
      if (statement.indexes.length === 0) return fault;
      const without = await planOf(client, service, statement, statement.indexes).catch(() => null);
      if (without === null || usedBy(without, indexes) !== said) return fault;
      if (tablesReadWhole(without).length > tablesReadWhole(plan).length) return fault;
      plan = without;
    }
    const whole = new Set(indexesReadWhole(plan, indexes));
    return [...whole].map((index) => `${name} reads all entries of ${index}`);
  } catch (error) {
    return [`${name}: ${(error as Error).message}`];
  }
}

/**
 * Checks the statements and views of the `*.sql.js` files below a folder, alone or in objects, against the migrated
 * schema: columns, types and rights that do not exist, undeclared indexes, and indexes that are read whole. Of a
 * partitioned table the index of the whole table is declared.
 */
export async function statementFaults(adminUrl: string, service: string, folder: URL): Promise<string[]> {
  const statements = await statementsBelow(folder);
  if (statements.length === 0) throw new Error(`no statements below ${folder.href}`);
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const checked = { client, service, indexes: await indexesIn(client, service) };
    const faults: string[] = [];
    for (const each of [...statements, ...(await sharedStatements(client, service))])
      faults.push(...(await faultOf(checked, each)));
    return faults;
  } finally {
    await client.end();
  }
}
