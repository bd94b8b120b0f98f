import { serviceCredentials } from '@signalbox/servers';
import type { TestServers } from './servers.js';
import { TEST_MASTER_KEY } from './test-master-key.js';

function withLogin(url: string, user: string, password: string): string {
  const changed = new URL(url);
  changed.username = user;
  changed.password = password;
  return changed.href;
}

/** How a service reaches its tables in the database at the superuser's address. */
export function databaseEnv(url: string, name: string): Record<string, string> {
  const credentials = serviceCredentials(TEST_MASTER_KEY, name);
  return {
    PATH: process.env.PATH ?? '',
    DATABASE_ADMIN_URL: url,
    DATABASE_URL: withLogin(url, credentials.role, credentials.password),
    WORKER_DATABASE_URL: withLogin(url, credentials.workerRole, credentials.workerPassword),
  };
}

/** The settings of a service process on the given servers; `port` is that of the gateway. */
export function serviceEnv(
  servers: TestServers,
  name: string,
  port = 0,
  env: Record<string, string> = {},
): Record<string, string> {
  return {
    ...databaseEnv(servers.postgres.url, name),
    NATS_URL: withLogin(servers.nats.url, name, serviceCredentials(TEST_MASTER_KEY, name).natsPassword),
    MASTER_KEY: TEST_MASTER_KEY,
    DATA_DIR: servers.dir,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'info',
    ...env,
  };
}

/** What lets the gateway serve completions in its own process. */
export function completionsEnv(servers: TestServers): Record<string, string> {
  const { NATS_URL = '', DATABASE_URL = '', WORKER_DATABASE_URL = '' } = serviceEnv(servers, 'traffic');
  return {
    COMPLETIONS_NATS_URL: NATS_URL,
    COMPLETIONS_DATABASE_URL: DATABASE_URL,
    COMPLETIONS_WORKER_DATABASE_URL: WORKER_DATABASE_URL,
  };
}
