import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { busUsers } from '@signalbox/bus';
import { type NatsServer, type PostgresServer, serviceCredentials, startNats, startPostgres } from '@signalbox/servers';
import { copyEmptyCluster, copyMigratedCluster } from './database/migrated-cluster.js';
import { endWithThisProcess } from './leftovers/end-with-this-process.js';
import { type NatsServers, startNatsCluster } from './nats-cluster.js';
import { TEST_MASTER_KEY } from './test-master-key.js';

/** Postgres and NATS with the users and rights of production, in a separate directory. */
export interface TestServers {
  dir: string;
  postgres: PostgresServer;
  nats: NatsServer;
  /** On the same port, with an empty store on request. */
  restartNats(options: { forget: boolean }): Promise<void>;
  restartPostgres(mode: 'fast' | 'immediate'): Promise<void>;
  stop(): Promise<void>;
  cluster?: NatsServers;
}

/** Those of production, and a tester with every right. */
export function natsUsers() {
  return busUsers()
    .concat({ user: 'tester', publish: ['>'], subscribe: ['>'] })
    .map(({ user, publish, subscribe }) => ({
      user,
      password: serviceCredentials(TEST_MASTER_KEY, user).natsPassword,
      // Services reply to the tester as well.
      permissions: {
        publish: [...publish, '_INBOX.tester.>'],
        subscribe,
      },
    }));
}

export interface ServerOptions {
  /** Off unless a test is about power loss. */
  fsync?: boolean;
  migrated?: boolean;
  unref?: boolean;
  postgres?: Record<string, string>;
  cluster?: number;
}

export async function startServers({
  fsync = false,
  migrated = false,
  unref = false,
  postgres: postgresSettings = {},
  cluster: size = 1,
}: ServerOptions = {}): Promise<TestServers> {
  const dir = await mkdtemp(join(tmpdir(), 'signalbox-test-'));
  await mkdir(join(dir, 'logs'));
  endWithThisProcess(dir);
  const postgresOptions = {
    dataDir: join(dir, 'postgres'),
    logFile: join(dir, 'logs', 'postgres.log'),
    settings: { ...(fsync ? {} : { fsync: 'off' }), ...postgresSettings },
  };
  const natsOptions = {
    storeDir: join(dir, 'nats'),
    configFile: join(dir, 'nats.conf'),
    logFile: join(dir, 'logs', 'nats.log'),
    users: natsUsers(),
  };
  const startDatabase = async (): Promise<PostgresServer> => {
    await (migrated ? copyMigratedCluster : copyEmptyCluster)(postgresOptions.dataDir);
    return startPostgres(postgresOptions);
  };
  const kept = <T extends { unref(): void }>(server: T): T => {
    if (unref) server.unref();
    return server;
  };
  let cluster: NatsServers | undefined;
  const startBus = async (): Promise<NatsServer> => {
    if (size === 1) return startNats(natsOptions);
    cluster = await startNatsCluster(size, dir, natsOptions.users);
    return { ...(cluster.servers[0] as NatsServer), url: cluster.url, stop: cluster.stop };
  };
  const starting = [startDatabase(), startBus()] as const;
  const [postgres, nats] = await Promise.all(starting).catch(async (error: unknown) => {
    // What did start would keep the process of the test running.
    for (const each of await Promise.allSettled(starting)) if (each.status === 'fulfilled') await each.value.stop();
    throw error;
  });
  const servers: TestServers = {
    dir,
    postgres: kept(postgres),
    nats: kept(nats),
    ...(cluster ? { cluster } : {}),
    async restartNats({ forget }) {
      const { port } = servers.nats;
      await servers.nats.stop();
      if (forget) await rm(natsOptions.storeDir, { recursive: true, force: true });
      servers.nats = kept(await startNats({ ...natsOptions, port }));
    },
    async restartPostgres(mode) {
      const { port } = servers.postgres;
      await servers.postgres.stop(mode);
      servers.postgres = kept(await startPostgres({ ...postgresOptions, port }));
    },
    async stop() {
      await Promise.all([servers.nats.stop(), servers.postgres.stop('immediate')]);
      await rm(dir, { recursive: true, force: true });
    },
  };
  return servers;
}
