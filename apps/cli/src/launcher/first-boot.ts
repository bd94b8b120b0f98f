import { access } from 'node:fs/promises';
import { AdminUnavailable, createCompany } from '../admin.js';
import { writePrivately, type DataDirectory } from './data-directory.js';

/** Creates the company `demo` at the first boot and keeps its key; answers the key the only time it is shown. */
export async function firstBoot(directory: DataDirectory, natsUrl: string): Promise<string | null> {
  const done = await access(directory.adminKey).then(
    () => true,
    () => false,
  );
  if (done) return null;
  try {
    const { api_key: key } = await createCompany(natsUrl, 'demo');
    await writePrivately(directory.adminKey, `${key}\n`);
    return key;
  } catch (error) {
    if (error instanceof AdminUnavailable) return null;
    throw error;
  }
}
