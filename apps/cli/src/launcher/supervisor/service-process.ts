import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { exitOf, nodeFlagsOf, stopChild } from '@signalbox/servers';
import { REPOSITORY, type Service } from '../services.js';
import type { Running } from './supervised.js';

export interface ServiceLaunch {
  service: Service;
  environment: Record<string, string>;
  logFile: string;
}

/** A longer start is reported repeatedly: it may wait for a dependency. */
const REPORT_AFTER_MS = 60_000;

export function programOf(service: Service): string {
  return service.program ?? join(REPOSITORY, 'dist/services', `${basename(service.dir)}.js`);
}

/** One error for all services, before anything is started. */
export function requireCompiled(services: Service[]): void {
  const missing = services.filter((service) => !existsSync(programOf(service))).map(({ name }) => name);
  if (missing.length === 0) return;
  throw new Error(`not compiled: ${missing.join(', ')} (npm run build compiles everything)`);
}

const STACK_FRAME = /^\s+at /;
/** Node prints the line that threw, which is as long as a bundle. */
const MAX_LINE = 4000;

/** Without stack frames, which would leave no room for their error. */
export async function lastWords(logFile: string): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line.trim() && line.length <= MAX_LINE && !STACK_FRAME.test(line));
  return lines.slice(-5).join('\n');
}

/** Output goes straight to the log file, not through the launcher. */
async function run({ service, environment, logFile }: ServiceLaunch) {
  const program = programOf(service);
  const log = await open(logFile, 'a', 0o600);
  try {
    // In its own process group: Ctrl-C in a terminal reaches only the launcher, which stops the parts in order.
    const child = fork(program, service.words ?? [], {
      env: environment,
      execArgv: nodeFlagsOf(service.name),
      cwd: REPOSITORY,
      detached: true,
      stdio: ['ignore', log.fd, log.fd, 'ipc'],
    });
    return { child, exited: exitOf(child) };
  } finally {
    await log.close();
  }
}

/** Waits for `ready`; a process that waits for a dependency is reported. */
export async function launchService(
  launch: ServiceLaunch,
  cut: AbortSignal,
  report: (text: string) => void,
): Promise<Running> {
  const { child, exited } = await run(launch);
  const stop = (graceMs: number) => stopChild(child, exited, [{ signal: 'SIGTERM', patienceMs: graceMs }]);
  const { service, logFile } = launch;
  const ready = new Promise<'ready'>((resolve) =>
    child.on('message', (message) => message === 'ready' && resolve('ready')),
  );
  const stopped = new Promise<'stopped'>((resolve) => {
    if (cut.aborted) resolve('stopped');
    cut.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  const ending = async (): Promise<string> => `its log ${logFile} ends with\n${await lastWords(logFile)}`;
  const reportSlow = async (): Promise<void> => report(`${service.name} is not ready yet; ${await ending()}`);
  const slow = setInterval(() => void reportSlow(), REPORT_AFTER_MS);
  const outcome = await Promise.race([ready, exited, stopped]);
  clearInterval(slow);
  if (outcome === 'ready') return { pid: child.pid!, exited, stop };
  await stop(2000);
  if (outcome === 'stopped') throw new Error(`${service.name} was stopped while it started`);
  throw new Error(`${service.name} ended before it was ready; ${await ending()}`);
}
