import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../../settings/settings.js';
import { BadUsage, Options } from '../usage.js';
import { backUp } from './backup.js';
import { verify } from './verify.js';

const NAME = /^nightly-\d{4}-\d\d-\d\dT[\d-]+Z$/;
const LONGEST_PAUSE_MS = 60_000;

/** When the time of a day is next, in epoch milliseconds; the time is UTC, as HH:MM. */
export function nextAt(time: string, now: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const next = new Date(now).setUTCHours(hours, minutes, 0, 0);
  return next > now ? next : new Date(next).setUTCDate(new Date(next).getUTCDate() + 1);
}

/** Makes one backup in a folder, reads it to its end, and deletes the oldest ones beyond the number to keep. */
export async function backUpInto(folder: string, keep: number, settings: Settings): Promise<unknown> {
  const name = `nightly-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  const place = join(folder, name);
  try {
    await backUp(Options.read(['--to', place], ['to'], []), settings);
    const summary = await verify(Options.read(['--from', place], ['from'], []), settings);
    const old = (await readdir(folder)).filter((each) => NAME.test(each)).sort();
    for (const each of old.slice(0, -keep)) await rm(join(folder, each), { recursive: true });
    return { place, ...(summary as object) };
  } catch (error) {
    // Half a backup is none.
    await rm(place, { recursive: true, force: true });
    throw error;
  }
}

/** Backs up once, or every day until the process is stopped; one that fails is reported and the next day follows. */
export async function backUpNightly(options: Options, settings: Settings): Promise<unknown> {
  const [folder, at] = [options.get('to'), options.find('at') ?? '03:00'];
  const keep = Number(options.find('keep') ?? 7);
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(at)) throw new BadUsage('--at takes a time of the day (UTC), such as 03:00');
  if (!Number.isInteger(keep) || keep < 1) throw new BadUsage('--keep takes a whole number from 1');
  if (options.has('once')) return backUpInto(folder, keep, settings);
  for (;;) {
    const next = nextAt(at, Date.now());
    // Short pauses: the clock may be set meanwhile.
    while (Date.now() < next) await pause(Math.min(LONGEST_PAUSE_MS, next - Date.now()));
    await backUpInto(folder, keep, settings).then(
      (done) => console.log(JSON.stringify(done)),
      (error: unknown) =>
        console.error(`the backup has failed: ${error instanceof Error ? error.message : String(error)}`),
    );
  }
}
