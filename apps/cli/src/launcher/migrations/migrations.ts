import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { KEEP_ALIVE } from '@signalbox/database/tenancy';
import pg from 'pg';
import { acceptedLogins, isRotating, type MasterKeys } from '@signalbox/servers';
import { migrationModules, runMigrations } from './run-migrations.js';
import { masterKeysOf, type Platform } from '../service-environment.js';
import { REPOSITORY, schemaOwners, type Service } from '../services.js';

async function fingerprintOf(services: Service[], keys: MasterKeys): Promise<string> {
  const hash = createHash('sha256');
  for (const file of migrationModules(services)) {
    hash
      .update(`${relative(REPOSITORY, file)}\0`)
      .update(await readFile(file))
      .update('\0');
  }
  for (const { name } of services) {
    const { plain, keyed } = acceptedLogins(keys, name);
    for (const { role, password, workerRole, workerPassword } of [plain, keyed])
      hash.update([name, role, password, workerRole, workerPassword].join('\0'));
  }
  return hash.digest('hex');
}

/** Creates the database when it is missing. */
export async function ensureDatabase(serverUrl: string, name: string): Promise<string> {
  const target = new URL(serverUrl);
  target.pathname = `/${name}`;
  const probe = new pg.Client({ connectionString: target.href });
  try {
    await probe.connect();
  } catch (error) {
    if ((error as { code?: string }).code !== '3D000') throw error;
    // The address may name the missing database itself.
    const maintenance = new URL('/postgres', serverUrl);
    maintenance.search = target.search;
    const client = new pg.Client({ connectionString: maintenance.href });
    await client.connect();
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`).finally(() => client.end());
    return target.href;
  }
  await probe.end();
  return target.href;
}

/** A database restored from a dump has the migrations without the roles. */
async function hasRoles(client: pg.Client, services: Service[], keys: MasterKeys): Promise<boolean> {
  const roles = services.flatMap(({ name }) => {
    const { plain, keyed } = acceptedLogins(keys, name);
    return [plain, ...(isRotating(keys) ? [keyed] : [])].flatMap(({ role, workerRole }) => [role, workerRole]);
  });
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = ANY ($1)', [roles]);
  return rowCount === new Set(roles).size;
}

/** Skips everything when nothing changed since the last time. */
export async function migrate(
  platform: Platform,
  services: Service[],
  logFile: string,
  cut: AbortSignal,
): Promise<'migrated' | 'unchanged'> {
  const owners = schemaOwners(services);
  const keys = masterKeysOf(platform);
  const fingerprint = await fingerprintOf(owners, keys);
  const client = new pg.Client({ connectionString: platform.databaseUrl, ...KEEP_ALIVE });
  // The server may close the connection; the failing query reports that.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(
      'CREATE TABLE IF NOT EXISTS public.signalbox_migrated (fingerprint text NOT NULL, at timestamptz NOT NULL)',
    );
    const { rows } = await client.query('SELECT 1 FROM public.signalbox_migrated WHERE fingerprint = $1', [
      fingerprint,
    ]);
    if (rows.length > 0 && (await hasRoles(client, owners, keys))) return 'unchanged';
    await runMigrations(platform, owners, logFile, cut);
    // One statement, so that a crash leaves either the old fingerprint or the new one.
    await client.query(
      `WITH gone AS (DELETE FROM public.signalbox_migrated)
       INSERT INTO public.signalbox_migrated (fingerprint, at) VALUES ($1, now())`,
      [fingerprint],
    );
    return 'migrated';
  } finally {
    await client.end();
  }
}
