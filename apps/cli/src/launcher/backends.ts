import { freePort, startNats, startPostgres, type NatsUser } from '@signalbox/servers';
import type { Settings } from '../settings/settings.js';
import type { DataDirectory } from './data-directory.js';
import { Supervised } from './supervisor/supervised.js';

type Log = (text: string) => void;
/** Called before the server starts, so that it can be stopped from the first moment. */
type Register = (supervised: Supervised) => void;

/** Needed by every service to publish events and audit entries. */
const STREAMS = ['EVENTS', 'AUDIT'];

export async function startDatabase(
  settings: Settings,
  directory: DataDirectory,
  log: Log,
  register: Register,
): Promise<string> {
  if (settings.databaseUrl !== null) return settings.databaseUrl;
  const port = await freePort();
  let url = '';
  const supervised = new Supervised({
    name: 'postgres',
    pidFile: directory.pidFile('postgres'),
    log,
    launch: async () => {
      const server = await startPostgres({
        dataDir: directory.postgres,
        port,
        logFile: directory.logFile('postgres'),
      });
      url = server.url;
      return { pid: server.pid, exited: server.exited, stop: () => server.stop('fast') };
    },
  });
  register(supervised);
  await supervised.start();
  return url;
}

/** The given URL, else that of a started server, with the same port and store after every restart. */
export async function startBus(
  settings: Settings,
  directory: DataDirectory,
  usersOf: () => Promise<NatsUser[]>,
  log: Log,
  register: Register,
): Promise<string> {
  if (settings.natsUrl !== null) return settings.natsUrl;
  const [port, users] = await Promise.all([freePort(), usersOf()]);
  const search = { binary: settings.natsServerBinary ?? undefined, path: settings.inherited.PATH };
  const supervised = new Supervised({
    name: 'nats',
    pidFile: directory.pidFile('nats'),
    log,
    launch: () =>
      startNats({
        storeDir: directory.nats,
        configFile: directory.natsConfig,
        logFile: directory.logFile('nats'),
        users,
        port,
        search,
        streams: STREAMS,
      }),
  });
  register(supervised);
  await supervised.start();
  return `nats://127.0.0.1:${port}`;
}
