import { spawn, type ChildProcess } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres } from './postgres-binaries.js';
import { ensureCluster, type Cluster } from './postgres-cluster.js';
import { clearPostgresLeftovers, postmasterLine } from './postgres-leftovers.js';
import { sharedBuffers } from './shared-buffers.js';
import { freePort } from '../ports.js';
import { exitOf, stopChild, unrefChild, type Exit } from '../server-child.js';
import { writeServerLog, type ServerLog } from '../server-log.js';

/** smart waits for clients, fast rolls them back, immediate leaves recovery to the next start. */
export type StopMode = 'smart' | 'fast' | 'immediate';

export interface PostgresOptions {
  dataDir: string;
  port?: number;
  logFile: string;
  settings?: Record<string, string>;
}

/** `url` is the superuser's. */
export interface PostgresServer {
  url: string;
  port: number;
  pid: number;
  exited: Promise<Exit>;
  stop(mode?: StopMode): Promise<void>;
  unref(): void;
}

const START_LIMIT_MS = 120_000;
/** Backends survive a killed postmaster for a moment and hold its shared memory. */
const LEFTOVER_LIMIT_MS = 20_000;

/** Low memory use when idle, full durability; errors are logged without their values. */
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: sharedBuffers(),
  max_connections: '150',
  // A statement without a date locks all partitions of requests with their indexes, some thousands after a year.
  max_locks_per_transaction: '512',
  jit: 'off',
  io_method: 'sync',
  max_worker_processes: '4',
  max_logical_replication_workers: '0',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  // A new table is planned without statistics until its first analysis, with look-ups that read all rows of a company.
  autovacuum_naptime: '10s',
};

const STOP_STEPS: Record<StopMode, { signal: NodeJS.Signals; patienceMs: number }[]> = {
  smart: [
    { signal: 'SIGTERM', patienceMs: 10_000 },
    { signal: 'SIGINT', patienceMs: 5000 },
    { signal: 'SIGQUIT', patienceMs: 2000 },
  ],
  fast: [
    { signal: 'SIGINT', patienceMs: 3000 },
    { signal: 'SIGQUIT', patienceMs: 1000 },
  ],
  immediate: [{ signal: 'SIGQUIT', patienceMs: 2000 }],
};

interface Attempt {
  child: ChildProcess;
  exited: Promise<Exit>;
  log: ServerLog;
}

async function launch(cluster: Cluster, port: number, options: PostgresOptions): Promise<Attempt> {
  const { postgres } = await findPostgres();
  const settings = Object.entries({ ...SETTINGS, ...options.settings }).flatMap(([key, value]) => [
    '-c',
    `${key}=${value}`,
  ]);
  // In its own process group: Ctrl-C in a terminal reaches only the launcher, which stops everything in order.
  const child = spawn(postgres, ['-D', cluster.serverView, '-p', String(port), ...settings], {
    ...cluster.spawnOptions,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return { child, exited: exitOf(child), log: writeServerLog('postgres', child.stderr!, options.logFile) };
}

async function becomesReady(dataDir: string, { child, exited }: Attempt): Promise<boolean> {
  let ended = false;
  void exited.then(() => (ended = true));
  const deadline = Date.now() + START_LIMIT_MS;
  while (!ended) {
    const ours = Number(await postmasterLine(dataDir, 1)) === child.pid;
    if (ours && (await postmasterLine(dataDir, 8)) === 'ready') return true;
    if (Date.now() > deadline) {
      await stopChild(child, exited, STOP_STEPS.immediate);
      throw new Error(`Postgres was not ready after ${START_LIMIT_MS / 1000} s`);
    }
    await sleep(10);
  }
  return false;
}

/** Creates the cluster when absent; works directly after the server or its launcher was killed. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const cluster = await ensureCluster(options.dataDir);
  const dataDir = await realpath(options.dataDir);
  await clearPostgresLeftovers(dataDir);
  const port = options.port ?? (await freePort());
  const deadline = Date.now() + LEFTOVER_LIMIT_MS;
  for (;;) {
    const attempt = await launch(cluster, port, options);
    if (await becomesReady(dataDir, attempt)) return server(attempt, port, cluster.password);
    const complaint = attempt.log.recent();
    const leftover = /still in use|lock file|Address already in use/.test(complaint);
    if (!leftover || Date.now() > deadline) throw new Error(`Postgres did not start: ${complaint}`);
    await sleep(100);
  }
}

function server({ child, exited, log }: Attempt, port: number, password: string): PostgresServer {
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    port,
    pid: child.pid!,
    exited,
    stop: async (mode = 'fast') => {
      await stopChild(child, exited, STOP_STEPS[mode]);
      await log.written();
    },
    unref: () => unrefChild(child),
  };
}
