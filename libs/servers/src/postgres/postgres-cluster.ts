import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { findPostgres } from './postgres-binaries.js';
import { serverUser, unreachableParent } from '../server-user.js';

export interface Cluster {
  dataDir: string;
  serverView: string;
  spawnOptions: { cwd: string; uid?: number; gid?: number; env: Record<string, string> };
  password: string;
}

const INITDB_ARGUMENTS = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
];

async function reach(dataDir: string): Promise<Pick<Cluster, 'serverView' | 'spawnOptions'>> {
  // As root, Postgres runs as the owner of its data, so a cluster created by an ordinary user keeps working.
  const { uid, gid } = await stat(dataDir);
  const user = serverUser() === null ? null : { uid, gid };
  const base = { ...user, env: { TZ: 'UTC', LC_ALL: 'C', PATH: '/usr/bin:/bin' } };
  const closed = user === null ? null : await unreachableParent(dataDir, user.uid);
  if (closed === null) return { serverView: dataDir, spawnOptions: { ...base, cwd: '/' } };
  if (platform() !== 'linux') {
    throw new Error(`Postgres runs unprivileged and cannot pass through ${closed}: choose another DATA_DIR`);
  }
  // The working directory is entered before privileges are dropped, and this name needs no right on the directories
  // above: a cluster below a closed directory such as /root works in place.
  return { serverView: '/proc/self/cwd', spawnOptions: { ...base, cwd: dataDir } };
}

function passwordFile(dataDir: string): string {
  return `${dataDir}.password`;
}

async function ensurePassword(dataDir: string): Promise<string> {
  const path = passwordFile(dataDir);
  await writeFile(path, randomBytes(24).toString('hex'), { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return (await readFile(path, 'utf8')).trim();
}

async function runInitdb(staging: string, password: string): Promise<void> {
  const { initdb } = await findPostgres();
  const { serverView, spawnOptions } = await reach(staging);
  const secret = `${staging}.secret`;
  await writeFile(secret, password, { mode: 0o600 });
  if (spawnOptions.uid !== undefined) await chown(secret, spawnOptions.uid, spawnOptions.gid ?? 0);
  const handle = await open(secret, 'r');
  try {
    const child = spawn(initdb, [`--pgdata=${serverView}`, '--pwfile=/dev/fd/3', ...INITDB_ARGUMENTS], {
      ...spawnOptions,
      stdio: ['ignore', 'ignore', 'pipe', handle.fd],
    });
    let complaint = '';
    child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code !== 0) throw new Error(`the Postgres cluster could not be created: ${complaint.trim()}`);
  } finally {
    await handle.close();
    await rm(secret, { force: true });
  }
}

/** An interrupted creation is discarded and repeated. */
export async function ensureCluster(dataDir: string): Promise<Cluster> {
  await mkdir(dirname(dataDir), { recursive: true });
  const password = await ensurePassword(dataDir);
  const exists = await stat(dataDir).catch(() => null);
  if (exists === null) {
    const staging = `${dataDir}.new`;
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { mode: 0o700 });
    const user = serverUser();
    if (user !== null) await chown(staging, user.uid, user.gid);
    await runInitdb(staging, password);
    await rename(staging, dataDir);
  }
  await chmod(dataDir, 0o700);
  return { dataDir, password, ...(await reach(dataDir)) };
}
