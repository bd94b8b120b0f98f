import { readFile } from 'node:fs/promises';
import { keyOfFirstCompany } from './run-detached.js';
import { writePrivately, type DataDirectory } from './data-directory.js';

const FIRST_COMPANY = 'demo';

/**
 * Creates the company `demo` and stores its key; returns the key, which is shown only once. The key file is the mark of
 * completion: a boot interrupted before it was written is completed by the next one.
 */
export async function firstBoot(directory: DataDirectory, natsUrl: string): Promise<string | null> {
  const kept = await readFile(directory.adminKey, 'utf8').catch(() => '');
  if (kept.trim() !== '') return null;
  const key = await keyOfFirstCompany(natsUrl, FIRST_COMPANY);
  await writePrivately(directory.adminKey, `${key}\n`);
  return key;
}
