import { serviceCredentials } from '@signalbox/servers';
import { databaseEnv, withLogin } from './database-environment.js';
import type { TestServers } from './servers.js';
import { TEST_MASTER_KEY } from './test-master-key.js';

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
