import { join } from 'node:path';
import { busAddressOf } from '@signalbox/bus/addresses';
import { freePort, type NatsOptions, type NatsServer, startNats } from '@signalbox/servers';

export interface NatsServers {
  servers: NatsServer[];
  url: string;
  kill(at: number): Promise<void>;
  restart(at: number): Promise<void>;
  /** The server lets its clients move, then stops. */
  retire(at: number): void;
  stop(): Promise<void>;
}

export async function startNatsCluster(size: number, dir: string, users: NatsOptions['users']): Promise<NatsServers> {
  const ports = await Promise.all(Array.from({ length: size * 2 }, () => freePort()));
  const routes = ports.slice(size).map((port) => `127.0.0.1:${port}`);
  const start = (at: number): Promise<NatsServer> =>
    startNats({
      storeDir: join(dir, `nats-${at}`),
      configFile: join(dir, `nats-${at}.conf`),
      logFile: join(dir, 'logs', `nats-${at}.log`),
      users,
      port: ports[at] ?? 0,
      cluster: { serverName: `nats-${at}`, port: ports[size + at] ?? 0, routes, password: 'between servers' },
    });
  const servers = await Promise.all(Array.from({ length: size }, (_, at) => start(at)));
  const serverAt = (at: number): NatsServer => {
    const server = servers[at];
    if (!server) throw new Error(`the bus has no server ${at}`);
    return server;
  };
  return {
    servers,
    url: servers.map(({ url }) => `nats://${busAddressOf(url).servers[0]}`).join(','),
    async kill(at) {
      const { pid, exited } = serverAt(at);
      process.kill(pid, 'SIGKILL');
      await exited;
    },
    async restart(at) {
      servers[at] = await start(at);
    },
    retire: (at) => void process.kill(serverAt(at).pid, 'SIGUSR2'),
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  };
}
