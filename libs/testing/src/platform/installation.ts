import { join } from 'node:path';
import { freePort } from '@signalbox/servers';
import { completionsEnv, serviceEnv } from './service-environment.js';
import { ServiceProcess } from './service-process.js';
import { startServers, type TestServers } from './servers.js';

export class Installation {
  readonly processes = new Map<string, ServiceProcess>();
  private readonly changed = new Set<string>();

  constructor(
    readonly servers: TestServers,
    readonly port: number,
    private readonly env: Record<string, string>,
    private readonly unref = false,
  ) {}

  logFile(label: string): string {
    return join(this.servers.dir, 'logs', `${label}.log`);
  }

  async startService(
    name: string,
    label = name,
    more: Record<string, string> = {},
    build?: string,
  ): Promise<ServiceProcess> {
    const environment = serviceEnv(this.servers, name, this.port, { ...this.env, ...more });
    const process = new ServiceProcess(name, environment, this.logFile(label), this.unref, build);
    this.processes.set(label, process);
    if (label !== name || Object.keys(more).length > 0) this.changed.add(label);
    else this.changed.delete(label);
    await process.start();
    return process;
  }

  async ensureServices(names: string[]): Promise<void> {
    const missing = names.filter((name) => !this.processes.get(name)?.running);
    await Promise.all(missing.map((name) => this.startService(name)));
  }

  /** The next spec finds one process per service with default settings. */
  async stopChanged(): Promise<void> {
    const changed = [...this.processes].filter(([label]) => this.changed.has(label));
    await Promise.all(changed.map(([, process]) => process.kill('SIGKILL')));
    changed.forEach(([label]) => this.processes.delete(label));
    this.changed.clear();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.processes.values()].map((process) => process.kill('SIGKILL')));
    await this.servers.stop();
  }
}

let shared: Promise<Installation> | undefined;

async function start(): Promise<Installation> {
  const servers = await startServers({ migrated: true, unref: true });
  // Each spec has a provider and target on loopback.
  const env = { ...completionsEnv(servers), EGRESS_ALLOW: '127.0.0.1/32' };
  return new Installation(servers, await freePort(), env, true);
}

/** Shared by all spec files of this process, and ends with it. */
export async function sharedInstallation(services: string[]): Promise<Installation> {
  const installation = await (shared ??= start());
  await installation.ensureServices(services);
  return installation;
}
