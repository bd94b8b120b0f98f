import { createHash } from 'node:crypto';
import type { BackupStore } from './backup-store.js';

export const FORMAT = 1;
const MANIFEST = 'manifest.json';

/** A file of a backup. */
export interface BackupFile {
  name: string;
  bytes: number;
  sha256: string;
}

/** The rows of a table, as the text format of COPY, compressed and cut anywhere. */
export interface BackupTable {
  name: string;
  columns: string[];
  rows: number;
  files: BackupFile[];
}

/** A partition and its bound, as Postgres writes it. */
export interface BackupPartition {
  parent: string;
  name: string;
  bound: string;
}

/** The schema of one service. */
export interface BackupSchema {
  service: string;
  /** Names of the migrations that made it. */
  migrations: string[];
  partitions: BackupPartition[];
  /** Last values by sequence. */
  sequences: Record<string, number>;
  tables: BackupTable[];
}

/** The objects of one service; each is a file named by its key, which contains the hash of its bytes. */
export interface BackupObjects {
  service: string;
  count: number;
  bytes: number;
  /** Their keys, a line each. */
  keys: BackupFile[];
}

/** What a backup consists of. It is written last: a backup without it is incomplete. */
export interface Manifest {
  format: number;
  release: string;
  taken_at: string;
  /** Fingerprints of the master key and of the keys derived from it, none of which a backup contains. */
  keys: Record<string, string>;
  schemas: BackupSchema[];
  objects: BackupObjects[];
}

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

export const rowsOf = ({ schemas }: Manifest): number =>
  schemas.flatMap(({ tables }) => tables).reduce((sum, { rows }) => sum + rows, 0);

export async function writeManifest(store: BackupStore, manifest: Manifest): Promise<void> {
  const text = JSON.stringify(manifest);
  await store.write(MANIFEST, Buffer.from(JSON.stringify({ sha256: sha256(text), manifest: text })));
}

export const hasManifest = async (store: BackupStore): Promise<boolean> => (await store.read(MANIFEST)) !== null;

/** Throws for an incomplete or damaged backup, and for one of a format that this release does not read. */
export async function readManifest(store: BackupStore): Promise<Manifest> {
  const bytes = await store.read(MANIFEST);
  if (bytes === null) throw new Error('there is no complete backup: it has no manifest.json');
  const { sha256: expected, manifest: text } = JSON.parse(bytes.toString()) as { sha256: string; manifest: string };
  if (sha256(text) !== expected) throw new Error('manifest.json is damaged');
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format > FORMAT)
    throw new Error(`the backup is of release ${manifest.release}: use that release or a later one`);
  return manifest;
}

/** The bytes of a file; throws when it is missing or damaged. */
export async function readFileOf(store: BackupStore, { name, sha256: expected }: BackupFile): Promise<Buffer> {
  const bytes = await store.read(name);
  if (bytes === null) throw new Error(`${name} is missing`);
  if (sha256(bytes) !== expected) throw new Error(`${name} is damaged`);
  return bytes;
}
