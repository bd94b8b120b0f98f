import { open } from 'node:fs/promises';

/** Flushes the entries of a folder: a file that was created or renamed in it survives a loss of power. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
