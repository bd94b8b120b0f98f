import { createHash } from 'node:crypto';
import type { BackupStore } from './backup-store.js';

export const FORMAT = 1;
const MANIFEST = 'manifest.json';

export interface BackupFile {
  name: string;
  bytes: number;
  sha256: string;
}

/** In the text format of COPY, compressed and cut anywhere. */
export interface BackupTable {
  name: string;
  columns: string[];
  rows: number;
  files: BackupFile[];
}

/** `bound` is as Postgres writes it. */
export interface BackupPartition {
  parent: string;
  name: string;
  bound: string;
}

export interface BackupSchema {
  service: string;
  migrations: string[];
  partitions: BackupPartition[];
  sequences: Record<string, number>;
  tables: BackupTable[];
}

/** Each object is a file named by its key, which contains the hash of its bytes. */
export interface BackupObjects {
  service: string;
  count: number;
  bytes: number;
  keys: BackupFile[];
}

/** Written last: a backup without it is incomplete. */
export interface Manifest {
  format: number;
  release: string;
  taken_at: string;
  /** By name. A backup does not contain the keys themselves. */
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

/** Throws for an incomplete or damaged backup, and for an unknown format. */
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

/** Throws when the file is missing or damaged. */
export async function readFileOf(store: BackupStore, { name, sha256: expected }: BackupFile): Promise<Buffer> {
  const bytes = await store.read(name);
  if (bytes === null) throw new Error(`${name} is missing`);
  if (sha256(bytes) !== expected) throw new Error(`${name} is damaged`);
  return bytes;
}
