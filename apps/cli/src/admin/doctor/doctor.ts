import { busAddressOf, withBusLogin } from '@signalbox/bus/addresses';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { releaseOf } from '@signalbox/platform';
import { findEndpoints } from '../../launcher/data-directory.js';
import type { Platform } from '../../launcher/service-environment.js';
import type { Settings } from '../../settings/settings.js';
import { findMasterKey } from '../../launcher/bus-address.js';
import { type Options, Verdict } from '../../usage.js';
import { backupFindings } from './backups.js';
import { busFindings } from './bus.js';
import { certificateFindings } from './certificates.js';
import { clockFinding } from './clocks.js';
import { diskFindings } from './disk.js';
import { checked, type Finding } from './finding.js';
import { postgresFindings, schemaFindings } from './postgres.js';
import { processesOf, processFindings, slowestClock } from './processes.js';
import { tableOf } from './report.js';
import { sealFindings } from './sealed.js';

async function platformOf(settings: Settings): Promise<Platform> {
  const masterKey = await findMasterKey(settings);
  if (masterKey === null) throw new Error('MASTER_KEY is missing: the logins of the services are derived from it');
  const local = await findEndpoints(settings.dataDir);
  const databaseUrl = settings.directDatabaseUrl ?? settings.databaseUrl ?? local?.database_url;
  // The launcher notes the address with the login of commands; each service has its own.
  const natsUrl = settings.natsUrl ?? (local && withBusLogin(local.nats_url, null));
  if (!databaseUrl || !natsUrl)
    throw new Error(`no platform runs on ${settings.dataDir}: set DATABASE_URL and NATS_URL to its servers`);
  return { settings, masterKey, databaseUrl, natsUrl };
}

function busCertificates(natsUrl: string): Promise<Finding[]>[] {
  const { servers, isTls } = busAddressOf(natsUrl);
  if (!isTls) return [];
  return servers.map((server) =>
    certificateFindings(servers.length > 1 ? `TLS of the bus ${server}` : 'TLS of the bus', `tls://${server}`),
  );
}

async function examine(platform: Platform): Promise<Finding[]> {
  const { settings, natsUrl } = platform;
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-doctor-'));
  try {
    const processes = await processesOf(platform).catch(() => []);
    const clock = slowestClock(processes);
    const findings = await Promise.all([
      schemaFindings(platform, join(folder, 'log')),
      postgresFindings(platform, processes),
      sealFindings(platform),
      backupFindings(platform.databaseUrl, settings.backupOverdueHours),
      checked('bus', 'see whether NATS_URL is right and the bus is reachable from here', () => busFindings(platform)),
      ...busCertificates(natsUrl),
      certificateFindings('TLS of PUBLIC_URL', settings.publicUrl),
      Promise.resolve(processFindings(processes, releaseOf())),
      Promise.resolve(clock ? [clockFinding('clocks of services', clock)] : []),
      diskFindings(settings.dataDir),
    ]);
    return findings.flat();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Read-only; the exit code is 1 when there is a problem. */
export async function doctor(options: Options, settings: Settings): Promise<Verdict> {
  const findings = await examine(await platformOf(settings));
  const code = findings.some(({ state }) => state === 'problem') ? 1 : 0;
  return new Verdict(options.has('json') ? findings : tableOf(findings), code);
}
