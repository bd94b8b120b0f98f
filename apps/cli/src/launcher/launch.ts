import type { Settings } from '../settings/settings.js';
import { localAddress } from '../settings/settings.js';
import { freePort } from '@signalbox/servers';
import { ADMIN_USER } from '../settings/admin-user.js';
import { firstSignInLink, usersOfTheBus } from './run-detached.js';
import { startBus, startDatabase } from './backends.js';
import { masterKeyOf, removeEndpoints, writeEndpoints, type DataDirectory } from './data-directory.js';
import { natsAt, postgresAt, untilAvailable } from './dependencies.js';
import { firstBoot } from './first-boot.js';
import { LogRotation } from './supervisor/log-rotation.js';
import { ensureDatabase, migrate } from './migrations/migrations.js';
import { endOrphans } from './supervisor/orphans.js';
import type { Progress } from './supervisor/progress.js';
import { masterKeysOf, natsUrlFor, serviceEnvironment, type Platform } from './service-environment.js';
import { launchService } from './supervisor/service-process.js';
import type { Service } from './services.js';
import { stopEverything, type Parts } from './supervisor/shutdown.js';
import { Supervised } from './supervisor/supervised.js';

const DATABASE = 'signalbox';

export class Launch {
  private readonly parts: Parts = { services: [], backends: [] };
  private readonly cancelled = new AbortController();
  private readonly logs: LogRotation;
  private starting: Promise<void> = Promise.resolve();

  constructor(
    private readonly settings: Settings,
    private readonly directory: DataDirectory,
    private readonly services: Service[],
    private readonly progress: Progress,
  ) {
    this.logs = new LogRotation(directory.logs, (text) => progress.log(text));
  }

  /** Processes of a killed launcher. */
  async endOrphanedServices(): Promise<void> {
    await removeEndpoints(this.directory);
    const ended = await endOrphans(this.services, this.directory.root);
    if (ended > 0) this.progress.log(`Ended ${ended} processes of a killed launcher`);
  }

  bringUp(): Promise<void> {
    this.logs.start();
    this.starting = this.startAll();
    return this.starting;
  }

  /** Also in the middle of a start. */
  async takeDown(): Promise<void> {
    this.cancelled.abort(new Error('stopped while starting'));
    await removeEndpoints(this.directory);
    await stopEverything(this.parts);
    await this.starting.catch(() => undefined);
    // Parts created while the start was being cancelled.
    await stopEverything(this.parts);
    await this.logs.stop();
  }

  private async startAll(): Promise<void> {
    const platform = await this.startBackends();
    this.cancelled.signal.throwIfAborted();
    this.progress.step('Bringing the database up to date');
    const direct = { ...platform, databaseUrl: this.settings.directDatabaseUrl ?? platform.databaseUrl };
    await migrate(direct, this.services, this.directory.logFile('migrations'), this.cancelled.signal);
    this.cancelled.signal.throwIfAborted();
    await this.startServices(platform);
    const adminUrl = natsUrlFor(platform, ADMIN_USER);
    const key = await firstBoot(this.directory, adminUrl);
    await this.announce(platform, adminUrl, key);
  }

  private async startBackends(): Promise<Platform> {
    const { settings, directory } = this;
    this.progress.step('Starting the database and the bus');
    const masterKey = await masterKeyOf(directory, settings.masterKey);
    const log = (text: string) => this.progress.log(text);
    // Deriving the logins takes a second, within which the stop may begin.
    const register = (supervised: Supervised): void => {
      this.cancelled.signal.throwIfAborted();
      this.parts.backends.push(supervised);
    };
    const database = this.startDatabase(log, register);
    const bus = startBus(
      settings,
      directory,
      () => usersOfTheBus(masterKeysOf({ settings, masterKey })),
      log,
      register,
    );
    // Both are awaited, so that the stop finds all that has started when one of them fails.
    await Promise.allSettled([database, bus]);
    const [databaseUrl, natsUrl] = await Promise.all([database, bus]);
    await this.waitForGiven();
    const healthPort = settings.healthPort === 0 ? await freePort() : settings.healthPort;
    return { settings: { ...settings, healthPort }, masterKey, databaseUrl, natsUrl };
  }

  /** The operator's servers may start later than the platform. */
  private async waitForGiven(): Promise<void> {
    const { databaseUrl, natsUrl } = this.settings;
    const given = [
      ...(databaseUrl === null ? [] : [postgresAt(databaseUrl)]),
      ...(natsUrl === null ? [] : [natsAt(natsUrl)]),
    ];
    const report = (text: string) => this.progress.log(text);
    await Promise.all(given.map((each) => untilAvailable(each, report, this.cancelled.signal)));
  }

  private async startDatabase(log: (text: string) => void, register: (part: Supervised) => void): Promise<string> {
    const serverUrl = await startDatabase(this.settings, this.directory, log, register);
    return this.settings.databaseUrl ?? ensureDatabase(serverUrl, DATABASE);
  }

  private async startServices(platform: Platform): Promise<void> {
    const { directory, progress } = this;
    let ready = 0;
    const count = () => progress.step(`Starting the services (${ready} of ${this.services.length} ready)`);
    count();
    const starts = this.services.map(async (service) => {
      const environment = serviceEnvironment(platform, service);
      const logFile = directory.logFile(service.name);
      const supervised = new Supervised({
        name: service.name,
        pidFile: directory.pidFile(service.name),
        log: (text) => progress.log(text),
        launch: (cancelled) =>
          launchService({ service, environment, logFile }, cancelled, (text) => progress.log(text)),
      });
      this.parts.services.push({ service, supervised });
      await supervised.start();
      ready += 1;
      count();
    });
    await Promise.all(starts);
  }

  private async announce(platform: Platform, natsUrl: string, key: string | null): Promise<void> {
    const { host, port, objectStoreUrl } = this.settings;
    const baseUrl = `http://${localAddress(host, port)}/api/v1`;
    await writeEndpoints(this.directory, {
      base_url: baseUrl,
      health_url: `http://127.0.0.1:${platform.settings.healthPort}`,
      database_url: platform.databaseUrl,
      nats_url: natsUrl,
      object_store_url: objectStoreUrl,
    });
    this.progress.end();
    if (key !== null) {
      this.progress.log(`The first company is "demo". Its admin key, shown this once and kept in`);
      this.progress.log(`${this.directory.adminKey}: ${key}`);
    }
    this.progress.log(`Signalbox is ready at ${baseUrl}`);
    const link = await firstSignInLink(natsUrl, new URL(baseUrl).origin).catch(() => 'npx signalbox portal');
    this.progress.log(`Its portal, for five minutes and once: ${link}`);
  }
}
