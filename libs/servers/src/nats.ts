import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, rename, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findNatsServer, type NatsSearch } from './nats-binary.js';
import { NATS_MAX_PAYLOAD, type NatsCluster, renderNatsConfig, type NatsUser } from './nats-config.js';
import { answersPing, type Login, PROBE_USER, probePermissions, storesMessages, streamStores } from './nats-probe.js';
import { freePort } from './ports.js';
import { endProcess, findProcesses } from './processes.js';
import { exitOf, stopChild, unrefChild, type Exit, type ServerProblem } from './server-child.js';
import { writeServerLog } from './server-log.js';

export interface NatsOptions {
  storeDir: string;
  port?: number;
  configFile: string;
  users: NatsUser[];
  logFile: string;
  maxPayload?: number;
  search?: NatsSearch;
  /** Also tried by the probe; each has the subject `probe.<name in lower case>`. */
  streams?: readonly string[];
  /** A member of a cluster counts as started when it accepts users, with or without a quorum. */
  cluster?: NatsCluster;
}

/** `url` contains no user. */
export interface NatsServer {
  url: string;
  port: number;
  pid: number;
  exited: Promise<Exit>;
  stop(): Promise<void>;
  unref(): void;
  /** Null when the probe stored its messages; at times it also tries the streams of the platform. */
  problem(): Promise<ServerProblem | null>;
}

const START_LIMIT_MS = 60_000;
/** With less free space a restarted server could not open its store. */
const FREE_BYTES = 64 * 1024 * 1024;
const STOP_STEPS = [{ signal: 'SIGTERM' as const, patienceMs: 3000 }];

/** Ends servers of a killed launcher, identified by the configuration file in their command line. */
async function clearLeftovers(configFile: string): Promise<void> {
  const leftovers = findProcesses(({ command }) => command[1] === '-c' && command[2] === configFile);
  await Promise.all(leftovers.map(({ pid }) => endProcess(pid, 'SIGTERM', 3000)));
}

async function writeConfig(configFile: string, text: string): Promise<void> {
  await mkdir(dirname(configFile), { recursive: true });
  // Renamed into place, so that a server never reads a partial file; mode 0600 because it contains passwords.
  await writeFile(`${configFile}.new`, text, { mode: 0o600 });
  await rename(`${configFile}.new`, configFile);
}

/** Also directly after the server or its launcher was killed. */
export async function startNats(options: NatsOptions): Promise<NatsServer> {
  const { storeDir, configFile, maxPayload = NATS_MAX_PAYLOAD, streams = [] } = options;
  const binary = findNatsServer(options.search);
  if (options.users.length === 0) throw new Error('a NATS server without users would admit anyone');
  const login = { user: PROBE_USER, password: randomBytes(24).toString('hex') };
  const users = [...options.users, { ...login, permissions: probePermissions(streams) }];
  await clearLeftovers(configFile);
  const port = options.port ?? (await freePort());
  await writeConfig(
    configFile,
    renderNatsConfig({
      port,
      storeDir,
      maxPayload,
      users,
      anonymous: false,
      ...(options.cluster ? { cluster: options.cluster } : {}),
    }),
  );
  await mkdir(storeDir, { recursive: true, mode: 0o700 });
  const child = spawn(binary, ['-c', configFile], { cwd: '/', detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = exitOf(child);
  const log = writeServerLog('nats', child.stderr!, options.logFile);
  const stop = async () => {
    await stopChild(child, exited, STOP_STEPS);
    await log.written();
  };
  let ended = false;
  void exited.then(() => (ended = true));
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await answersPing(port, login))) {
    if (ended || Date.now() > deadline) {
      await stop();
      throw new Error(`nats-server did not start: ${log.recent()}`);
    }
    await sleep(10);
  }
  const probe = new StoreProbe(port, login, streams);
  const problem = () => problemOf(storeDir, () => probe.attempt());
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    pid: child.pid!,
    exited,
    stop,
    unref: () => unrefChild(child),
    problem,
  };
}

async function problemOf(storeDir: string, attempt: () => Promise<string | null>): Promise<ServerProblem | null> {
  const reason = await attempt();
  if (reason === null) return null;
  const { bavail, bsize } = await statfs(storeDir);
  const free = bavail * bsize;
  if (free >= FREE_BYTES) return { text: `it stores no messages (${reason})`, restartHelps: true };
  const text = `it stores no messages (${reason}): the disk of ${storeDir} has ${Math.floor(free / 1_048_576)} MiB left`;
  return { text, restartHelps: false };
}

/** Probes between tries of the streams of the platform, because each try leaves a deletion in them. */
const STREAMS_EVERY = 5;

/** Tries the streams of the platform at first, now and then, and while one fails. */
class StoreProbe {
  private skipped = STREAMS_EVERY;

  constructor(
    private readonly port: number,
    private readonly login: Login,
    private readonly streams: readonly string[],
  ) {}

  async attempt(): Promise<string | null> {
    const reason = await storesMessages(this.port, this.login);
    if (reason !== null || ++this.skipped < STREAMS_EVERY) return reason;
    for (const stream of this.streams) {
      const failure = await streamStores(this.port, this.login, stream);
      if (failure !== null) return `the stream ${stream}: ${failure}`;
    }
    this.skipped = 0;
    return null;
  }
}
