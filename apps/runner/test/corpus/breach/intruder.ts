import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';

// What code does that has broken out of its engine and of Node: the rest is up to the system.
// It only looks: it is also executed without a jail, to show that it finds everything there.

interface Plan {
  files: string[];
  folders: string[];
  runner: number;
  port: number;
  addresses: string[];
  socket: string;
}

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

const mayWrite = (folder: string): boolean => attempt(() => accessSync(folder, constants.W_OK) ?? true) !== null;

const found = {
  files: plan.files.filter((path) => attempt(() => readFileSync(path)) !== null),
  environment: attempt(() => readFileSync(`/proc/${plan.runner}/environ`, 'utf8')) ?? '',
  processes: (attempt(() => readdirSync('/proc')) ?? []).filter((name) => /^\d+$/.test(name) && Number(name) > 1),
  signals: attempt(() => process.kill(plan.runner, 0)) ?? false,
  listed: attempt(() => readdirSync('/')) ?? [],
  writable: ['/', ...plan.folders].filter(mayWrite),
  programs: ['/bin/sh', '/usr/bin/env'].filter((path) => spawnSync(path, ['--version']).error === undefined),
  devices: attempt(() => readdirSync('/dev')) ?? [],
  connections: [] as string[],
};
for (const host of plan.addresses) if (await connects({ port: plan.port, host })) found.connections.push(host);
if (await connects({ path: plan.socket })) found.connections.push(plan.socket);
process.stdout.write(JSON.stringify(found));
