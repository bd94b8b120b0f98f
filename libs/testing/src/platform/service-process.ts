import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nodeFlagsOf } from '@signalbox/servers';

export const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));

const ROLES: Record<string, { program: string; word: string }> = {
  completions: { program: 'gateway', word: 'completions' },
  'agents-api': { program: 'agents', word: 'api' },
  'agents-worker': { program: 'agents', word: 'worker' },
};

const programOf = (service: string): string => ROLES[service]?.program ?? service;
const wordsOf = (service: string): string[] => (ROLES[service] ? [ROLES[service].word] : []);

const compiledOf = (service: string, build: string): string => `${build}apps/${programOf(service)}/dist/src/main.js`;

/** The bundle, or the compiled file in a copy of the build without bundles; `build` ends with a slash. */
export function entryOf(service: string, build = ROOT): string {
  const bundle = `${build}dist/services/${programOf(service)}.js`;
  return existsSync(bundle) ? bundle : compiledOf(service, build);
}

/**
 * As the launcher does. A bench that preloads a module to replace a method needs the class itself, of which a bundle
 * has a copy.
 */
const forked = (service: string, build: string, env: Record<string, string>, log: number): ChildProcess =>
  fork(
    env.NODE_OPTIONS?.includes('--import') ? compiledOf(service, build) : entryOf(service, build),
    wordsOf(service),
    {
      env,
      stdio: ['ignore', log, log, 'ipc'],
      execArgv: nodeFlagsOf(programOf(service)),
    },
  );

/** Far above what a start takes: a busy machine is no failure. */
const READY_MS = 300_000;

export class ServiceProcess {
  private child: ChildProcess | undefined;

  constructor(
    readonly name: string,
    private readonly env: Record<string, string>,
    readonly logFile: string,
    private readonly unref = false,
    private readonly build = ROOT,
  ) {}

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get running(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Null while the process runs and when a signal has ended it. */
  get exitCode(): number | null {
    return this.child?.exitCode ?? null;
  }

  start(): Promise<void> {
    const log = openSync(this.logFile, 'a');
    const child = forked(this.name, this.build, this.env, log);
    this.child = child;
    if (this.unref) {
      child.unref();
      child.channel?.unref();
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${this.name} is not ready, see ${this.logFile}`)), READY_MS);
      child.once('message', () => {
        clearTimeout(timer);
        resolve();
      });
      child.once('exit', (code, signal) => {
        clearTimeout(timer);
        reject(new Error(`${this.name} ended with ${code ?? signal}, see ${this.logFile}`));
      });
    });
  }

  /** Waits for the end, unless the signal only pauses or continues the process. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.child;
    if (!child || !this.running) return;
    child.kill(signal);
    if (signal === 'SIGSTOP' || signal === 'SIGCONT' || signal === 'SIGUSR2') return;
    if (this.running) await new Promise((resolve) => child.once('exit', resolve));
  }
}
