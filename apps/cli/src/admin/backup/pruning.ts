import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasManifest } from './manifest.js';
import { openBackupStore } from './backup-store.js';

export const NIGHTLY = 'nightly';
/** Made without an operator: each night, and before each upgrade. */
const KINDS = [NIGHTLY, 'before-upgrade'];
const STAMP = /^\d{4}-\d\d-\d\dT[\d-]+Z$/;
const DAY_MS = 86_400_000;

/** Null for a name that `nameOf` does not make. */
export const kindOf = (name: string): string | null =>
  KINDS.find((kind) => name.startsWith(`${kind}-`) && STAMP.test(name.slice(kind.length + 1))) ?? null;

/** `at` is in epoch ms; names of a kind sort by age. */
export const nameOf = (kind: string, at: number): string =>
  `${kind}-${new Date(at).toISOString().replace(/[:.]/g, '-')}`;

/**
 * Of each kind: all but the latest complete ones, and incomplete ones that nothing writes to any more. What cannot be
 * read stays. One that cannot be deleted does not keep the others; its error is thrown at the end.
 */
export async function prune(folder: string, keep: number, now: number): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const old = await Promise.all(KINDS.map((kind) => oldOf(kind, names, folder, keep, now)));
  const ends = await Promise.allSettled(
    old.flat().map((each) => rm(join(folder, each), { recursive: true, force: true })),
  );
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason as Error;
}

async function oldOf(
  kind: string,
  names: readonly string[],
  folder: string,
  keep: number,
  now: number,
): Promise<string[]> {
  const ofKind = names.filter((each) => kindOf(each) === kind).sort();
  const states = await Promise.all(
    ofKind.map((each) => hasManifest(openBackupStore(join(folder, each))).catch(() => null)),
  );
  const complete = ofKind.filter((_, n) => states[n] === true);
  const incomplete = ofKind.filter((each, n) => states[n] === false && each < nameOf(kind, now - DAY_MS));
  return [...complete.slice(0, -keep), ...incomplete];
}
