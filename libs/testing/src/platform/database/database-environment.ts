import { serviceCredentials } from '@signalbox/servers';
import { TEST_MASTER_KEY } from '../test-master-key.js';

export function withLogin(url: string, user: string, password: string): string {
  const changed = new URL(url);
  changed.username = user;
  changed.password = password;
  return changed.href;
}

export function databaseEnv(url: string, name: string) {
  const credentials = serviceCredentials(TEST_MASTER_KEY, name);
  return {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: withLogin(url, credentials.role, credentials.password),
    WORKER_DATABASE_URL: withLogin(url, credentials.workerRole, credentials.workerPassword),
  };
}
