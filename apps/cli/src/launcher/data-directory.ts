import { randomBytes } from 'node:crypto';
import { mkdir, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readOrCreateSecret, writeDurably } from '../settings/private-files.js';

export interface DataDirectory {
  root: string;
  postgres: string;
  nats: string;
  natsConfig: string;
  masterKey: string;
  adminKey: string;
  endpoints: string;
  logs: string;
  pidFile(name: string): string;
  logFile(name: string): string;
}

export interface Endpoints {
  base_url: string;
  /** The health port of the gateway, with `/healthz`, `/readyz` and `/metrics`. */
  health_url: string;
  database_url: string;
  nats_url: string;
  object_store_url: string;
}

function layout(root: string): DataDirectory {
  return {
    root,
    postgres: join(root, 'postgres'),
    nats: join(root, 'nats'),
    natsConfig: join(root, 'run', 'nats.conf'),
    masterKey: join(root, 'master-key'),
    adminKey: join(root, 'admin-key'),
    endpoints: join(root, 'run', 'endpoints.json'),
    logs: join(root, 'logs'),
    pidFile: (name) => join(root, 'run', `${name}.pid`),
    logFile: (name) => join(root, 'logs', `${name}.log`),
  };
}

/** Other users may traverse it (Postgres runs unprivileged) but not list it. */
export async function openDataDirectory(dataDir: string): Promise<DataDirectory> {
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const directory = layout(await realpath(dataDir));
  await mkdir(join(directory.root, 'run'), { recursive: true, mode: 0o700 });
  await mkdir(join(directory.root, 'logs'), { recursive: true, mode: 0o700 });
  await mkdir(join(directory.root, 'objects'), { recursive: true, mode: 0o700 });
  return directory;
}

/** The given one, else that of DATA_DIR, generated at the first start. */
export async function masterKeyOf(directory: DataDirectory, given: string | null): Promise<string> {
  if (given !== null) return given;
  return (await readOrCreateSecret(directory.masterKey, () => `${randomBytes(32).toString('hex')}\n`)).trim();
}

export function writeEndpoints(directory: DataDirectory, endpoints: Endpoints): Promise<void> {
  return writeDurably(directory.endpoints, `${JSON.stringify(endpoints, null, 2)}\n`);
}

export async function findEndpoints(dataDir: string): Promise<Endpoints | null> {
  const text = await readFile(layout(dataDir).endpoints, 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Endpoints);
}

export async function removeEndpoints(directory: DataDirectory): Promise<void> {
  await rm(directory.endpoints, { force: true });
}
