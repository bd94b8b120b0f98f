import { showProgress } from '../supervisor/progress.js';
import { migrate } from './migrations.js';
import { postgresAt, untilAvailable } from '../dependencies.js';
import { openDataDirectory, masterKeyOf } from '../data-directory.js';
import { SERVICES } from '../services.js';
import type { Settings } from '../../settings/settings.js';

/** A job that ends, for deployments without the launcher. It needs the owner's login, which no service has. */
export async function migrateAll(settings: Settings): Promise<number> {
  const { masterKey, natsUrl } = settings;
  const databaseUrl = settings.directDatabaseUrl ?? settings.databaseUrl;
  if (databaseUrl === null || masterKey === null) throw new Error('set DATABASE_URL (the owner) and MASTER_KEY');
  const directory = await openDataDirectory(settings.dataDir);
  const platform = {
    settings,
    databaseUrl,
    natsUrl: natsUrl ?? '',
    masterKey: await masterKeyOf(directory, masterKey),
  };
  const logFile = directory.logFile('migrations');
  const { signal } = new AbortController();
  const progress = showProgress(process.stdout);
  await untilAvailable(postgresAt(databaseUrl), (text) => progress.log(text), signal);
  const outcome = await migrate(platform, SERVICES, logFile, signal);
  progress.log(outcome === 'migrated' ? 'All schemas are up to date now' : 'Nothing to migrate');
  return 0;
}
