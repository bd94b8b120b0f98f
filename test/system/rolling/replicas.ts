import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Balancer, completionsEnv, eventually, Platform, startReplicas, type TestServers } from '@signalbox/testing';

/** The services of calls of agents and models, each with two processes; those with an entrance are behind the balancer. */
export const SERVICES = ['accounts', 'traffic', 'agents', 'completions', 'gateway'] as const;

/** The kinds of processes of a deployment. */
export const EVERYTHING = [
  'accounts',
  'traffic',
  'agents-api',
  'agents-worker',
  'test-runs',
  'training',
  'monitors',
  'workflows',
  'runner',
  'completions',
  'gateway',
] as const;
export type Service = (typeof SERVICES)[number] | (typeof EVERYTHING)[number];

/** What a platform of replicas consists of, if not of the services of this build on new servers. */
export interface ReplicaOptions {
  services?: readonly Service[];
  servers?: TestServers;
  build?: string;
  /** Servers of NATS; 1 by default. */
  cluster?: number;
}

const ENTRANCES: readonly Service[] = ['completions', 'gateway'];
/** Services whose processes have a spool on a separate disk. */
const SPOOLING: readonly Service[] = ['completions', 'traffic'];

/** A platform as manifests deploy it: two replicas of everything behind one address that routes by path. */
export class Replicas {
  private constructor(
    readonly platform: Platform,
    readonly balancer: Balancer,
    private readonly withOtherBuilds: boolean,
  ) {}

  static async start(env: Record<string, string>, options: ReplicaOptions = {}): Promise<Replicas> {
    const { services = SERVICES, servers, build, cluster = 1 } = options;
    const platform = await Platform.start({ services: [], env, cluster, ...(servers ? { servers } : {}) });
    const routes = { '/api/v1/chat/completions': 'completions', '/': 'gateway' };
    const replicas = new Replicas(platform, await Balancer.listen(platform.port, routes), build !== undefined);
    await Promise.all(
      services.map((service) => startReplicas(platform, service, 2, replicas.settingsOf(service), build)),
    );
    for (const entrance of ENTRANCES)
      await eventually(
        `two processes of ${entrance} are ready`,
        () => replicas.balancer.ready(entrance).length === 2,
        90_000,
      );
    return replicas;
  }

  /** The settings of a process of a service, and of its successor. */
  settingsOf(service: Service): (label: string) => Promise<Record<string, string>> {
    const { servers } = this.platform;
    return async (label) => {
      // The volume of a pod stays when the pod is replaced in place, and goes with it otherwise.
      const dir = join(servers.dir, service === 'completions' ? label.replace(/(-next|-back|-again)+$/, '') : label);
      await mkdir(dir, { recursive: true });
      return {
        OBJECT_STORE_URL: `file:${join(servers.dir, 'objects')}`,
        ...(SPOOLING.includes(service) ? { DATA_DIR: dir } : {}),
        ...(service === 'completions' ? completionsEnv(servers) : {}),
        ...(ENTRANCES.includes(service) ? await this.balancer.add(service, label) : {}),
      };
    };
  }

  /** Lines about failed calls in the logs of all processes, those that have ended included. */
  async loggedFailures(): Promise<string[]> {
    const dir = join(this.platform.servers.dir, 'logs');
    const logs = await Promise.all((await readdir(dir)).map((name) => readFile(join(dir, name), 'utf8')));
    return logs.flatMap((log) => log.split('\n').filter((line) => line.includes('"call failed"')));
  }

  async stop(): Promise<void> {
    await this.balancer.close();
    await this.platform.stop({ withOtherBuilds: this.withOtherBuilds });
  }
}
