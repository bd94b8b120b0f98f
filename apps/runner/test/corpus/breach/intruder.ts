import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { accessSync, constants, fstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';

// What code does that has broken out of its engine and of Node: the rest is up to the system.
// It only looks: it is also executed without a jail, to show that it finds everything there.

interface Plan {
  files: string[];
  folders: string[];
  runner: number;
  port: number;
  datagramPort: number;
  addresses: string[];
  socket: string;
}

/** After standard input, output and error. */
const FIRST_DESCRIPTOR = 3;
const DESCRIPTORS = 125;
const DATAGRAM_MS = 500;

const plan = JSON.parse(process.argv[2] ?? '{}') as Plan;

/** What an attempt yields, or null when the system refuses it. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

const connects = (target: { port: number; host: string } | { path: string }): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(target);
    const end = (isReached: boolean): void => {
      socket.destroy();
      resolve(isReached);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });

/** A datagram is sent without a connection: only the reply shows that it has arrived. */
const exchanges = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4');
    const end = (isReached: boolean): void => {
      clearTimeout(timer);
      socket.close();
      resolve(isReached);
    };
    const timer = setTimeout(() => end(false), DATAGRAM_MS);
    socket.once('message', () => end(true)).once('error', () => end(false));
    socket.send('knock', port, host);
  });

/** Descriptors of files and sockets that were left open by the program that has started this process. */
const inherited = (): number[] =>
  Array.from({ length: DESCRIPTORS }, (_, at) => at + FIRST_DESCRIPTOR).filter((descriptor) => {
    const stats = attempt(() => fstatSync(descriptor));
    return stats !== null && (stats.isFile() || stats.isSocket() || stats.isDirectory());
  });

const mayWrite = (folder: string): boolean => attempt(() => accessSync(folder, constants.W_OK) ?? true) !== null;

function isDevice(path: string): boolean {
  const stats = attempt(() => statSync(path));
  return stats !== null && (stats.isCharacterDevice() || stats.isBlockDevice());
}

// Before anything is opened here.
const descriptors = inherited();

const found = {
  files: plan.files.filter((path) => attempt(() => readFileSync(path)) !== null),
  environment: attempt(() => readFileSync(`/proc/${plan.runner}/environ`, 'utf8')) ?? '',
  processes: (attempt(() => readdirSync('/proc')) ?? []).filter((name) => /^\d+$/.test(name) && Number(name) > 1),
  memory: attempt(() => openSync(`/proc/${plan.runner}/mem`, 'r')) !== null,
  inherited: descriptors,
  limits: (process.report.getReport() as { userLimits?: Record<string, { soft: unknown }> }).userLimits ?? {},
  signals: attempt(() => process.kill(plan.runner, 0)) ?? false,
  listed: attempt(() => readdirSync('/')) ?? [],
  writable: ['/', ...plan.folders].filter(mayWrite),
  programs: ['/bin/sh', '/usr/bin/env'].filter((path) => spawnSync(path, ['--version']).error === undefined),
  devices: (attempt(() => readdirSync('/dev')) ?? []).filter((name) => isDevice(`/dev/${name}`)),
  connections: [] as string[],
};
for (const host of plan.addresses) if (await connects({ port: plan.port, host })) found.connections.push(host);
for (const host of plan.addresses)
  if (await exchanges(plan.datagramPort, host)) found.connections.push(`datagrams of ${host}`);
if (await connects({ path: plan.socket })) found.connections.push(plan.socket);
process.stdout.write(JSON.stringify(found));
