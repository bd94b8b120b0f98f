import { readFile } from 'node:fs/promises';
import { keyOfFirstCompany } from './aside.js';
import { writePrivately, type DataDirectory } from './data-directory.js';

const FIRST_COMPANY = 'demo';

/**
 * Creates the company `demo` at the first boot and keeps its key; answers the key the only time it is shown. The key
 * file is the proof that it is done: a boot cut off before it was written is finished by the next one.
 */
export async function firstBoot(directory: DataDirectory, natsUrl: string): Promise<string | null> {
  const kept = await readFile(directory.adminKey, 'utf8').catch(() => '');
  if (kept.trim() !== '') return null;
  const key = await keyOfFirstCompany(natsUrl, FIRST_COMPANY);
  await writePrivately(directory.adminKey, `${key}\n`);
  return key;
}
