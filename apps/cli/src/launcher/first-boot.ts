import { keyOfFirstCompany } from './run-detached.js';
import { readIfExists, writeDurably } from '../settings/private-files.js';
import type { DataDirectory } from './data-directory.js';

const FIRST_COMPANY = 'demo';

/**
 * Creates the company `demo` and stores its key; returns the key, which is shown only once. The key file is the mark of
 * completion: a boot interrupted before it was written is completed by the next one.
 */
export async function firstBoot(directory: DataDirectory, natsUrl: string): Promise<string | null> {
  const kept = await readIfExists(directory.adminKey);
  if (kept !== null && kept.trim() !== '') return null;
  const key = await keyOfFirstCompany(natsUrl, FIRST_COMPANY);
  await writeDurably(directory.adminKey, `${key}\n`);
  return key;
}
