import { join } from 'node:path';
import { freePort } from '@signalbox/servers';
import { completionsEnv, serviceEnv } from './service-environment.js';
import { ServiceProcess } from './service-process.js';
import { startServers, type TestServers } from './servers.js';

/** The servers and service processes of a platform. */
export class Installation {
  /** Processes by label. */
  readonly processes = new Map<string, ServiceProcess>();
  /** Labels of processes that are not started as the first ones were: of further processes or with other settings. */
  private readonly changed = new Set<string>();

  constructor(
    readonly servers: TestServers,
    readonly port: number,
    private readonly env: Record<string, string>,
    /** This process may end while the services run. */
    private readonly unref = false,
  ) {}

  logFile(label: string): string {
    return join(this.servers.dir, 'logs', `${label}.log`);
  }

  /** Starts a process of a service under a label, of another build when one is given. */
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

  /** Starts each of the services that has no process of its name. */
  async ensureServices(names: string[]): Promise<void> {
    const missing = names.filter((name) => !this.processes.get(name)?.running);
    await Promise.all(missing.map((name) => this.startService(name)));
  }

  /** Ends the further processes and those with other settings: the next spec finds one process of a service. */
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
  // Each spec has a separate provider and target on loopback.
  const env = { ...completionsEnv(servers), EGRESS_ALLOW: '127.0.0.1/32' };
  return new Installation(servers, await freePort(), env, true);
}

/** The one installation of this process, kept from spec file to spec file; it ends with the process. */
export async function sharedInstallation(services: string[]): Promise<Installation> {
  const installation = await (shared ??= start());
  await installation.ensureServices(services);
  return installation;
}
