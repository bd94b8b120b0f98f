import { tenancyFaults } from '@signalbox/database/tenancy';
import pg from 'pg';
import { migrationDifferences } from '../../launcher/migrations/run-migrations.js';
import type { Platform } from '../../launcher/service-environment.js';
import { schemaOwners, SERVICES } from '../../launcher/services.js';
import { certificateFinding, validToOf } from './certificates.js';
import { clockFinding } from './clocks.js';
import { checked, type Finding, listed, ok, problem, warning } from './finding.js';
import { lockFinding, lockTableOf } from './locks.js';
import type { Reported } from './processes.js';

const OWNERS = schemaOwners(SERVICES);
const CONNECT = 'see whether DATABASE_URL is right and Postgres is reachable from here';
const CONNECT_MS = 15_000;
/** Connections to leave free for a migration. */
const SPARE = 3;

export function postgresFindings(platform: Platform, processes: readonly Reported[]): Promise<Finding[]> {
  return checked('postgres', CONNECT, async () => {
    const client = new pg.Client({ connectionString: platform.databaseUrl, connectionTimeoutMillis: CONNECT_MS });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return [
        ...(await serverFindings(client)),
        ...(await connectionFindings(client, platform, processes)),
        lockFinding(await lockTableOf(client)),
        await tenancyFinding(client),
      ];
    } finally {
      await client.end();
    }
  });
}

async function serverFindings(client: pg.Client): Promise<Finding[]> {
  const before = Date.now();
  const { rows } = await client.query<{ now: number; version: string }>(
    `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now, current_setting('server_version') AS version`,
  );
  const [{ now, version } = { now: 0, version: '?' }] = rows;
  const clock = { reported: now, before, after: Date.now() };
  const { stream } = (client as unknown as { connection: { stream: unknown } }).connection;
  const validTo = validToOf(stream);
  return [
    ok('postgres', `PostgreSQL ${version}${validTo === null ? '' : ', over TLS'}`),
    ...(validTo === null ? [] : [certificateFinding('TLS of postgres', validTo)]),
    clockFinding('clock of Postgres', clock),
  ];
}

/** Compares the pools, now and at the maxima of the deployment, with the server's limit. */
async function connectionFindings(
  client: pg.Client,
  { settings }: Platform,
  processes: readonly Reported[],
): Promise<Finding[]> {
  const { rows } = await client.query<{ permitted: number; open: number }>(
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
       - current_setting('reserved_connections')::int AS permitted,
       (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS open`,
  );
  const [{ permitted, open } = { permitted: 0, open: 0 }] = rows;
  const ofTraffic = processes.find(({ service }) => service === 'traffic')?.connections ?? 0;
  // Processes that serve completions have the pools of the traffic service, and serve no call of the bus.
  const serving = Number(settings.gateway.GATEWAY_REPLICAS ?? 1);
  const most = processes.reduce((sum, { connections = 0 }) => sum + connections, 0) + serving * ofTraffic;
  const found = `pools of ${processes.length + serving} processes may open ${most} of ${permitted}, ${open} are open`;
  const atMost = Number(settings.inherited.DATABASE_CONNECTIONS_MAX || 0);
  const ofMaxima = `all pools at the maxima of the deployment may open ${atMost} of ${permitted}`;
  return [
    againstPermitted('connections', found, most, permitted),
    ...(atMost > 0 ? [againstPermitted('connections at most', ofMaxima, atMost, permitted)] : []),
  ];
}

function againstPermitted(area: string, found: string, most: number, permitted: number): Finding {
  const advice = 'raise max_connections of Postgres, lower DATABASE_POOL_SIZE, or run fewer processes';
  if (most > permitted) return problem(area, found, advice);
  return permitted - most < SPARE ? warning(area, found, advice) : ok(area, found);
}

async function tenancyFinding(client: pg.Client): Promise<Finding> {
  const names = OWNERS.map(({ name }) => name);
  const faults = await tenancyFaults(client, names);
  if (faults.length === 0) return ok('row security', `${names.length} schemas keep companies apart`);
  const advice =
    'restore the policies or rights as the migrations make them before the platform serves more than one company';
  return problem('row security', listed(faults), advice);
}

export function schemaFindings(platform: Platform, logFile: string): Promise<Finding[]> {
  return checked('schemas', CONNECT, async () => {
    const compared = await migrationDifferences(platform, OWNERS, logFile, new AbortController().signal);
    const missing = compared.filter((each) => each.missing.length > 0);
    const unknown = compared.filter((each) => each.unknown.length > 0);
    if (missing.length > 0) {
      const texts = missing.map(({ service, missing: names }) => `${service} lacks ${listed(names)}`);
      return [problem('schemas', listed(texts), 'run signalbox migrate with this release')];
    }
    if (unknown.length > 0) {
      const texts = unknown.map(({ service, unknown: names }) => `${service} has ${listed(names)} of another release`);
      return [warning('schemas', listed(texts), 'a newer release has migrated: complete the update')];
    }
    return [ok('schemas', `${compared.length} schemas have the migrations of this release`)];
  });
}
