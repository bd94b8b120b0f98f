import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { backendOf } from '@signalbox/objects';

export interface BackupStore {
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Null when there is no such file. */
  read(name: string): Promise<Buffer | null>;
  close(): Promise<void>;
}

/** Readable only by this user. A file exists whole or not at all. */
class FolderStore implements BackupStore {
  constructor(private readonly root: string) {}

  async write(name: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.root, name);
    const unfinished = `${path}.unfinished`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(unfinished, 'w', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  }

  async read(name: string): Promise<Buffer | null> {
    try {
      return await readFile(join(this.root, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const FOLDER_OF_BUCKET = 'backup';
/** Four objects of 64 MiB share a slow line to a bucket elsewhere. */
export const TRANSFER_MS = 15 * 60_000;

export function folderOf(address: string): string | null {
  if (address.startsWith('s3:')) return null;
  return address.startsWith('file:') ? fileURLToPath(address) : resolve(address);
}

export function addressBelow(address: string, name: string): string {
  const folder = folderOf(address);
  if (folder !== null) return join(folder, name);
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${name}`;
  return url.href;
}

/** A folder, a `file:` URL, or a bucket in the form of OBJECT_STORE_URL. */
export function openBackupStore(address: string): BackupStore {
  const folder = folderOf(address);
  if (folder !== null) return new FolderStore(folder);
  try {
    return backendOf({ OBJECT_STORE_URL: address, DATA_DIR: '' }, FOLDER_OF_BUCKET, TRANSFER_MS);
  } catch (error) {
    // The address contains a secret, which the message must not.
    throw new Error((error as Error).message.replace('OBJECT_STORE_URL', 'the address of the backup'), {
      cause: error,
    });
  }
}
