import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../../settings/settings.js';
import { BadUsage, Options } from '../../usage.js';
import { backUp } from './backup.js';
import { noteOutcome } from './outcomes.js';
import { folderOf, addressBelow } from './backup-store.js';
import { NIGHTLY, nameOf, prune } from './pruning.js';
import { platformOf } from './sources.js';
import { verify } from './verify.js';

const LONGEST_PAUSE_MS = 60_000;
/** Exists while the latest backup of this process has failed, for the health check of its container. */
const FAILED = join(tmpdir(), 'backup-failed');

/** Epoch ms of the next HH:MM in UTC. */
export function nextAt(time: string, now: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const next = new Date(now).setUTCHours(hours, minutes, 0, 0);
  return next > now ? next : new Date(next).setUTCDate(new Date(next).getUTCDate() + 1);
}

export async function backUpBelow(address: string, keep: number, settings: Settings): Promise<unknown> {
  const name = nameOf(NIGHTLY, Date.now());
  const [folder, target] = [folderOf(address), addressBelow(address, name)];
  try {
    await backUp(Options.read(['--to', target], ['to'], []), settings);
    const summary = await verify(Options.read(['--from', target], ['from'], []), settings);
    await note(settings, name, null);
    if (folder !== null) await deleteOld(folder, keep);
    return { ...(folder === null ? { name } : { place: target }), ...(summary as object) };
  } catch (error) {
    await note(settings, name, messageOf(error));
    // What cannot be deleted now is deleted after the next complete backup.
    if (folder !== null) await rm(target, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

async function pruned(address: string, keep: number): Promise<object> {
  const folder = folderOf(address);
  if (folder === null)
    throw new BadUsage('--prune takes a folder: in a bucket let a rule of the bucket delete old ones');
  await prune(folder, keep, Date.now());
  return { pruned: folder, kept: keep };
}

/** A failure must not fail the backup, which is complete. */
async function deleteOld(folder: string, keep: number): Promise<void> {
  try {
    await prune(folder, keep, Date.now());
  } catch (error) {
    console.error(`some old backups in ${folder} were not deleted: ${messageOf(error)}`);
  }
}

/** A failed note must not fail the backup. */
async function note(settings: Settings, name: string, failure: string | null): Promise<void> {
  try {
    await noteOutcome((await platformOf(settings)).databaseUrl, { name, failure });
  } catch (error) {
    console.error(`the outcome of ${name} was not noted: ${messageOf(error)}`);
  }
}

/** Once, or daily until the process is stopped; a failure is reported and the next day follows. */
export async function backUpNightly(options: Options, settings: Settings): Promise<unknown> {
  const [address, at] = [options.find('to') ?? settings.backupUrl, options.find('at') ?? '03:00'];
  const keep = Number(options.find('keep') ?? 7);
  if (address === null) throw new BadUsage('--to is missing, and BACKUP_URL is not set');
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(at)) throw new BadUsage('--at takes a time of the day (UTC), such as 03:00');
  if (!Number.isInteger(keep) || keep < 1) throw new BadUsage('--keep takes a whole number from 1');
  if (options.has('prune')) return pruned(address, keep);
  if (options.has('once')) return backUpBelow(address, keep, settings);
  for (;;) {
    const next = nextAt(at, Date.now());
    // Short pauses: the clock may be set meanwhile.
    while (Date.now() < next) await pause(Math.min(LONGEST_PAUSE_MS, next - Date.now()));
    await backUpBelow(address, keep, settings).then(
      async (done) => {
        console.log(JSON.stringify(done));
        await rm(FAILED, { force: true });
      },
      async (error: unknown) => {
        console.error(`the backup has failed: ${messageOf(error)}`);
        await writeFile(FAILED, '');
      },
    );
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
