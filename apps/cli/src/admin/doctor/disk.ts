import { existsSync } from 'node:fs';
import { access, constants, readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { requestLogFolders } from '@signalbox/platform';
import { checked, type Finding, ok, problem, warning } from './finding.js';

const MIB = 1_048_576;
const LOW_BYTES = 2048 * MIB;
const FULL_BYTES = 256 * MIB;
const WAITING_BYTES = 64 * MIB;

const mib = (bytes: number): string => `${Math.round(bytes / MIB).toLocaleString('en-US')} MiB`;

/** Of the data directory, which differs by machine and may be missing here. */
export function diskFindings(dataDir: string): Promise<Finding[]> {
  if (!existsSync(dataDir))
    return Promise.resolve([
      ok('disk', `there is no ${dataDir} here: disk, spool and quarantine are those of other machines`),
    ]);
  return checked('disk', `make ${dataDir} readable and writable for the user of the platform`, async () => {
    const { spool, quarantine } = requestLogFolders(dataDir);
    await access(dataDir, constants.W_OK);
    return [await spaceOf(dataDir), await spoolOf(spool), await quarantineOf(quarantine)];
  });
}

async function spaceOf(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const found = `${mib(free)} free in ${dataDir}`;
  const advice = 'free space or enlarge the volume: without space, recorded calls and the stores of the bus stop';
  if (free < FULL_BYTES) return problem('disk', found, advice);
  return free < LOW_BYTES ? warning('disk', found, advice) : ok('disk', found);
}

async function spoolOf(folder: string): Promise<Finding> {
  const names = await entriesOf(folder);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const found = `${names.length} files, ${mib(bytes)}`;
  if (bytes < WAITING_BYTES) return ok('spool', found);
  return warning('spool', found, 'recorded calls wait for Postgres: see whether it is reachable and keeps up');
}

async function quarantineOf(folder: string): Promise<Finding> {
  const { length } = await entriesOf(folder);
  if (length === 0) return ok('quarantine', 'no records');
  return warning('quarantine', `${length} records that Postgres refuses`, 'see signalbox admin list-quarantined');
}

const entriesOf = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
