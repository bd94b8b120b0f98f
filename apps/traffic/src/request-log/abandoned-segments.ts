import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './folder-sync.js';

const DEAD_AFTER_MS = 5000;

/** The heartbeat file of a process, next to its segments. */
export interface Marker {
  owner: string;
  /** Touches the file and returns its time by the clock of the file system. */
  renew(): Promise<number>;
  remove(): Promise<void>;
}

export async function mark(folder: string, owner: string): Promise<Marker> {
  const path = join(folder, `${owner}.alive`);
  const renew = async (): Promise<number> => {
    // Truncating sets the time without disk space, so that a full disk does not expire the heartbeat.
    await writeFile(path, '', { mode: 0o600 });
    return (await stat(path)).mtimeMs;
  };
  await renew();
  return { owner, renew, remove: () => rm(path, { force: true }) };
}

/**
 * Takes over the segments of processes without a heartbeat for some seconds; returns their new paths. A rename succeeds
 * once, so two processes never take the same file. An owner that was only frozen detects the move at its next append
 * and writes the lines again that may not have been read; records that are read twice are inserted once.
 */
export async function adoptAbandonedSegments(folder: string, marker: Marker, newPath: () => string): Promise<string[]> {
  const now = await marker.renew();
  const names = await readdir(folder);
  const owners = new Set(names.map((name) => name.split('.')[0] ?? ''));
  const adopted: string[] = [];
  for (const owner of owners) {
    if (owner === marker.owner || (await isAlive(folder, owner, now))) continue;
    for (const name of filesOf(owner, names)) {
      const path = newPath();
      if (await moved(join(folder, name), path)) adopted.push(path);
    }
    for (const suffix of ['alive', 'probe']) await rm(join(folder, `${owner}.${suffix}`), { force: true });
  }
  if (adopted.length > 0) await syncFolder(folder);
  return adopted;
}

async function isAlive(folder: string, owner: string, now: number): Promise<boolean> {
  const sign = await stat(join(folder, `${owner}.alive`)).catch(() => null);
  return sign !== null && now - sign.mtimeMs < DEAD_AFTER_MS;
}

function filesOf(owner: string, names: string[]): string[] {
  const numberOf = (name: string): number => Number(name.split('.')[1]);
  return names
    .filter((name) => name.startsWith(`${owner}.`) && name.endsWith('.log'))
    .sort((one, other) => numberOf(one) - numberOf(other));
}

async function moved(from: string, to: string): Promise<boolean> {
  return rename(from, to).then(
    () => true,
    () => false,
  );
}
