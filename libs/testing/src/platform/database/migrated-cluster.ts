import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SERVICES } from '@signalbox/contracts';
import { startPostgres } from '@signalbox/servers';
import { endWithThisProcess } from '../leftovers/end-with-this-process.js';
import { migrate } from './migrate.js';
import { migrationContents, serverContents } from './migration-contents.js';
import { ROOT } from '../service-process.js';

const OWNING = SERVICES.filter(({ database }) => database).map(({ name }) => name);
const KEPT = join(ROOT, '.cache', 'migrated-clusters');
/** Longer than any copy takes: an older cluster of other migrations is no longer used. */
const UNUSED_MS = 3_600_000;

const copy = (from: string, to: string): Promise<unknown> =>
  // Unlike the copy of Node this keeps the owner, as whom Postgres runs, and can use reflinks.
  promisify(execFile)('cp', ['-a', from, to]);

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

type Make = (staging: string) => Promise<void>;

const makeEmpty: Make = async (staging) => {
  const postgres = await startPostgres({ dataDir: join(staging, 'postgres'), logFile: join(staging, 'log') });
  await postgres.stop('fast');
};

/** As the launcher does: an empty cluster, then the migrations of all services. */
const makeMigrated: Make = async (staging) => {
  const logFile = join(staging, 'log');
  const postgres = await startPostgres({ dataDir: join(staging, 'postgres'), logFile });
  try {
    await migrate(OWNING, postgres.url, logFile);
  } finally {
    await postgres.stop('fast');
  }
};

const ageMs = async (path: string): Promise<number> => Date.now() - (await stat(path)).mtimeMs;

async function isLost(lock: string): Promise<boolean> {
  const pid = Number(await readFile(lock, 'utf8').catch(() => ''));
  // For a moment after its creation a lock names no holder.
  if (!pid) return (await ageMs(lock).catch(() => 0)) > 5000;
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

async function clear(current: string): Promise<void> {
  for (const name of await readdir(KEPT)) {
    const path = join(KEPT, name);
    if (path === current || name.endsWith('.lock')) continue;
    if ((await ageMs(path).catch(() => 0)) > UNUSED_MS) await rm(path, { recursive: true, force: true });
  }
}

/** False while another process creates it. */
async function made(place: string, make: Make): Promise<boolean> {
  if (await exists(place)) return true;
  const lock = `${place}.lock`;
  const taken = await writeFile(lock, String(process.pid), { flag: 'wx' }).then(
    () => true,
    () => false,
  );
  if (!taken) {
    if (await isLost(lock)) await rm(lock, { force: true });
    return false;
  }
  const staging = `${place}.${process.pid}`;
  try {
    if (await exists(place)) return true;
    await mkdir(staging, { recursive: true });
    // The server would outlive a run that is interrupted meanwhile.
    endWithThisProcess(staging);
    await make(staging);
    await rename(staging, place);
    await clear(place);
    return true;
  } finally {
    await rm(staging, { recursive: true, force: true });
    await rm(lock, { force: true });
  }
}

export async function copyKept(name: string, make: Make, dataDir: string): Promise<void> {
  await mkdir(KEPT, { recursive: true });
  const place = join(KEPT, name);
  while (!(await made(place, make))) await pause(50);
  await utimes(place, new Date(), new Date());
  await Promise.all([
    copy(join(place, 'postgres'), dataDir),
    copy(join(place, 'postgres.password'), `${dataDir}.password`),
  ]);
}

/**
 * Puts a cluster with the roles and schemas of all services at `dataDir`. Migrations run once per content and are kept;
 * further calls copy the result.
 */
export const copyMigratedCluster = async (dataDir: string): Promise<void> =>
  copyKept(await migrationContents(OWNING), makeMigrated, dataDir);

/** A cluster as of `initdb`, for a fraction of its CPU. */
export const copyEmptyCluster = async (dataDir: string): Promise<void> =>
  copyKept(`empty-${await serverContents()}`, makeEmpty, dataDir);
