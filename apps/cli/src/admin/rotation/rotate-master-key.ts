import { serviceCredentials } from '@signalbox/servers';
import pg from 'pg';
import { acceptedDatabaseUrls, masterKeysOf, type Platform } from '../../launcher/service-environment.js';
import type { Settings } from '../../settings/settings.js';
import { OWNERS, platformOf, Progress, withSession } from '../backup/sources.js';
import { listed } from '../doctor/finding.js';
import { type Options, Verdict } from '../../usage.js';
import { countPeppers, keepPeppers } from './former-peppers.js';
import { type Counted, countSealed, sealAnew, type Sessions } from './sealed-values.js';

/** By table and column. */
export type SealedCounts = Record<string, Counted>;

export async function withSessions<T>(platform: Platform, work: (sessions: Sessions) => Promise<T>): Promise<T> {
  const opened = new Map<string, pg.Client>();
  const open = async (service: string): Promise<pg.Client> => {
    // Logins with plain names would look like a process that has not been replaced.
    const { keyed } = acceptedDatabaseUrls(platform, service);
    const client = new pg.Client({ connectionString: keyed.DATABASE_URL });
    client.on('error', () => undefined);
    await client.connect();
    opened.set(service, client);
    return client;
  };
  return withSession(platform.databaseUrl, async (owner) => {
    try {
      return await work({ owner, of: async (service) => opened.get(service) ?? open(service) });
    } finally {
      await Promise.all([...opened.values()].map((client) => client.end()));
    }
  });
}

export const countAll = async (sessions: Sessions, platform: Platform): Promise<SealedCounts> => ({
  ...(await countSealed(sessions, masterKeysOf(platform))),
  'accounts.former_peppers.sealed': await countPeppers(sessions, masterKeysOf(platform)),
});

/** Processes that were not started with both keys log in with plain names. */
async function requireRolled({ owner }: Sessions, masterKey: string): Promise<void> {
  const names = OWNERS.flatMap(({ name }) => {
    const { role, workerRole } = serviceCredentials(masterKey, name);
    return [role, workerRole];
  });
  const { rows } = await owner.query<{ name: string }>(
    'SELECT DISTINCT usename AS name FROM pg_stat_activity WHERE usename = ANY ($1) ORDER BY 1',
    [names],
  );
  if (rows.length > 0)
    throw new Error(
      `processes still log in as ${rows.map(({ name }) => name).join(', ')}: restart them with the logins of MASTER_KEY and MASTER_KEY_PREVIOUS first`,
    );
}

const othersIn = (counts: SealedCounts): number => Object.values(counts).reduce((sum, { others }) => sum + others, 0);

function verdictOf(platform: Platform, counts: SealedCounts): Verdict {
  const others = othersIn(counts);
  const lines = Object.entries(counts).map(([name, { total, others: old }]) => `${name}: ${old} of ${total}`);
  const needed = platform.settings.masterKeyPrevious === null ? 'do not open with MASTER_KEY' : 'need the previous key';
  const end = others > 0 ? `${others} values ${needed}` : 'Every value opens with MASTER_KEY alone';
  return new Verdict(`${[...lines, end].join('\n')}\n`, others > 0 ? 1 : 0);
}

/**
 * Seals everything stored with the current master key. Can be interrupted and repeated, and succeeds only when nothing
 * needs the previous key; `--check` only counts.
 */
export async function rotateMasterKey(options: Options, settings: Settings): Promise<Verdict> {
  const platform = await platformOf(settings);
  return withSessions(platform, async (sessions) => {
    if (!options.has('check')) await rotate(sessions, platform);
    return verdictOf(platform, await countAll(sessions, platform));
  });
}

async function rotate(sessions: Sessions, platform: Platform): Promise<void> {
  const keys = masterKeysOf(platform);
  if (keys.previous === null)
    throw new Error('MASTER_KEY_PREVIOUS is missing: without it nothing can be read that it has sealed');
  await requireRolled(sessions, keys.previous);
  const progress = new Progress();
  await keepPeppers(sessions, keys);
  const report = (column: string, changed: number): void => progress.say(`${column}: sealed ${changed} values anew`);
  const lost = await sealAnew(sessions, keys, report);
  if (lost.length > 0) progress.say(`neither key opens ${listed(lost)}: write these secrets again, or delete them`);
}
