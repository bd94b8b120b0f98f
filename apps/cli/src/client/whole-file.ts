import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Content that breaks off changes nothing at the path. */
export async function writeWhole(content: Readable, path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  // A device or a pipe cannot be replaced.
  if (found && !found.isFile()) return pipeline(content, createWriteStream(path));
  const target = found ? await realpath(path) : path;
  const temporary = `${target}.${process.pid}`;
  try {
    await pipeline(content, createWriteStream(temporary, { mode: found?.mode ?? 0o666 }));
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
