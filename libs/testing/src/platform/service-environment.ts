import { serviceCredentials, serviceKey, type ServiceKey } from '@signalbox/servers';
import { withBusLogin } from '@signalbox/bus/addresses';
import { databaseEnv } from './database/database-environment.js';
import type { TestServers } from './servers.js';
import { TEST_MASTER_KEY } from './test-master-key.js';

const KEYS: Record<string, ServiceKey[]> = {
  gateway: ['IDEMPOTENCY_KEY'],
  completions: ['IDEMPOTENCY_KEY'],
  accounts: ['API_KEY_PEPPER', 'KEY_PEPPER', 'WEBHOOK_SEAL_KEY'],
  traffic: ['PROVIDER_SEAL_KEY'],
};

const keysOf = (name: string): Record<string, string> =>
  Object.fromEntries((KEYS[name] ?? []).map((key) => [key, serviceKey(TEST_MASTER_KEY, key)]));

/** In the environment of services, so that they are found when the test is gone. */
export const TEST_DIR = 'SIGNALBOX_TEST_DIR';

const serviceOf = (name: string): string => name.replace(/^(agents)-(api|worker)$/, '$1');

export function serviceEnv(
  servers: TestServers,
  name: string,
  port = 0,
  env: Record<string, string> = {},
): Record<string, string> {
  const service = serviceOf(name);
  return {
    ...databaseEnv(servers.postgres.url, service),
    NATS_URL: withBusLogin(servers.nats.url, {
      user: service,
      password: serviceCredentials(TEST_MASTER_KEY, service).natsPassword,
    }),
    ...keysOf(name),
    DATA_DIR: servers.dir,
    [TEST_DIR]: servers.dir,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'info',
    REFUSE_CALLS_IN_TRANSACTIONS: 'true',
    ...env,
  };
}

export function completionsEnv(servers: TestServers): Record<string, string> {
  const { NATS_URL = '', DATABASE_URL = '', WORKER_DATABASE_URL = '' } = serviceEnv(servers, 'traffic');
  return {
    COMPLETIONS_NATS_URL: NATS_URL,
    COMPLETIONS_DATABASE_URL: DATABASE_URL,
    COMPLETIONS_WORKER_DATABASE_URL: WORKER_DATABASE_URL,
    COMPLETIONS_PROVIDER_SEAL_KEY: serviceKey(TEST_MASTER_KEY, 'PROVIDER_SEAL_KEY'),
  };
}
