import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasManifest } from './manifest.js';
import { openBackupStore } from './backup-store.js';

export const NIGHTLY = 'nightly';
/** Made without an operator: each night, and before each upgrade. */
const KINDS = [NIGHTLY, 'before-upgrade'];
const STAMP = /^\d{4}-\d\d-\d\dT[\d-]+Z$/;
const DAY_MS = 86_400_000;

/** `at` is in epoch ms; names of a kind sort by age. */
export const nameOf = (kind: string, at: number): string =>
  `${kind}-${new Date(at).toISOString().replace(/[:.]/g, '-')}`;

/** Of each kind: all but the latest complete ones, and incomplete ones that nothing writes to any more. */
export async function prune(folder: string, keep: number, now: number): Promise<void> {
  const names = await readdir(folder);
  for (const kind of KINDS) {
    const ofKind = names
      .filter((each) => each.startsWith(`${kind}-`) && STAMP.test(each.slice(kind.length + 1)))
      .sort();
    const states = await Promise.all(ofKind.map((each) => hasManifest(openBackupStore(join(folder, each)))));
    const complete = ofKind.filter((_, n) => states[n]);
    const incomplete = ofKind.filter((each, n) => !states[n] && each < nameOf(kind, now - DAY_MS));
    for (const each of [...complete.slice(0, -keep), ...incomplete])
      await rm(join(folder, each), { recursive: true, force: true });
  }
}
