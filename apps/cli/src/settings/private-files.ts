import { open, readFile, rename, rm } from 'node:fs/promises';

const PRIVATE = 0o600;

/** Atomic and durable: after a crash or a loss of power the file has its former text or the new one. */
export async function writeDurably(path: string, text: string, mode = PRIVATE): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  try {
    const file = await open(temporary, 'w', mode);
    try {
      // The mode of `open` is restricted by the umask, and not applied to a file that exists.
      await file.chmod(mode);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Null without a file; throws when it cannot be read. */
export async function readIfExists(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * The text of a file that is made once. Throws when it cannot be read or is empty: a new secret in its place would open
 * nothing that the lost one has sealed.
 */
export async function readOrCreateSecret(path: string, make: () => string, mode = PRIVATE): Promise<string> {
  const text = await readIfExists(path);
  if (text === null) {
    const made = make();
    await writeDurably(path, made, mode);
    return made;
  }
  if (text.trim() === '')
    throw new Error(`${path} is empty: restore it from a backup, or delete it if nothing was stored with it yet`);
  return text;
}
