import { rolesOf } from '@signalbox/database';
import type { Client } from 'pg';
import type { BackupPartition } from './manifest.js';

/** Without generated columns. */
export interface TableColumns {
  name: string;
  columns: string[];
}

/** Of TypeORM: a restore fills it by migrating. */
const MIGRATIONS = 'migrations';

const TABLES = `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> '${MIGRATIONS}'
    AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  GROUP BY c.oid, c.relname ORDER BY c.relname`;

const REFERENCES = `SELECT t.relname AS "table", k.conname AS name, pg_get_constraintdef(k.oid) AS definition
  FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid JOIN pg_namespace n ON n.oid = t.relnamespace
  WHERE n.nspname = $1 AND k.contype = 'f' AND k.conparentid = 0 ORDER BY 1, 2`;

const HIDDEN = `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND c.relrowsecurity AND NOT c.relispartition
    AND NOT EXISTS (SELECT 1 FROM pg_policies p WHERE p.schemaname = $1 AND p.tablename = c.relname
      AND p.roles = ARRAY[$2::name] AND p.qual = 'true')`;

const PARTITIONS = `SELECT p.relname AS parent, c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound
  FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid JOIN pg_class p ON p.oid = i.inhparent
  JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relispartition AND c.relkind = 'r' ORDER BY c.relname`;

const SEQUENCES = `SELECT sequencename::text AS name, last_value::float8 AS value FROM pg_sequences
  WHERE schemaname = $1 AND last_value IS NOT NULL`;

export const quoted = (client: Client, ...names: string[]): string =>
  names.map((name) => client.escapeIdentifier(name)).join('.');

export const becomeOwner = async (client: Client, service: string): Promise<void> =>
  void (await client.query(`SET LOCAL ROLE ${client.escapeIdentifier(rolesOf(service).owner)}`));

export const tablesOf = async (client: Client, service: string): Promise<TableColumns[]> =>
  (await client.query<TableColumns>(TABLES, [service])).rows;

export interface Reference {
  table: string;
  name: string;
  definition: string;
}

export const referencesOf = async (client: Client, service: string): Promise<Reference[]> =>
  (await client.query<Reference>(REFERENCES, [service])).rows;

/** Throws unless the owner role sees the rows of all companies: they would be missing without an error. */
export async function requireVisible(client: Client, service: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(HIDDEN, [service, rolesOf(service).owner]);
  if (rows.length > 0)
    throw new Error(`rows of ${service}.${rows[0]?.name} are hidden from backups: run signalbox migrate first`);
}

export async function migrationsOf(client: Client, service: string): Promise<string[]> {
  const table = quoted(client, service, MIGRATIONS);
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${table} ORDER BY id`);
  return rows.map(({ name }) => name);
}

export const partitionsOf = async (client: Client, service: string): Promise<BackupPartition[]> =>
  (await client.query<BackupPartition>(PARTITIONS, [service])).rows;

export async function sequencesOf(client: Client, service: string): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; value: number }>(SEQUENCES, [service]);
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

export async function schemaExists(client: Client, service: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [service]);
  return (rowCount ?? 0) > 0;
}
