import type { Settings } from '../settings.js';
import { localAddress } from '../settings.js';
import { ADMIN_USER } from '../admin/bus-address.js';
import { usersOfTheBus } from './aside.js';
import { startBus, startDatabase } from './backends.js';
import { masterKeyOf, removeEndpoints, writeEndpoints, type DataDirectory } from './data-directory.js';
import { natsAt, postgresAt, untilAvailable } from './dependencies.js';
import { firstBoot } from './first-boot.js';
import { LogRotation } from './supervisor/log-rotation.js';
import { ensureDatabase, migrate } from './migrations.js';
import { endOrphans } from './supervisor/orphans.js';
import type { Progress } from './supervisor/progress.js';
import { natsUrlFor, serviceEnvironment, type Platform } from './service-environment.js';
import { launchService } from './supervisor/service-process.js';
import type { Service } from './services.js';
import { stopEverything, type Parts } from './supervisor/shutdown.js';
import { Supervised } from './supervisor/supervised.js';

const DATABASE = 'signalbox';

/** One life of the platform on one DATA_DIR: up once, down once, whatever happens between. */
export class Launch {
  private readonly parts: Parts = { services: [], backends: [] };
  private readonly cut = new AbortController();
  private readonly logs: LogRotation;
  private rising: Promise<void> = Promise.resolve();

  constructor(
    private readonly settings: Settings,
    private readonly directory: DataDirectory,
    private readonly services: Service[],
    private readonly progress: Progress,
  ) {
    this.logs = new LogRotation(directory.logs, (text) => progress.say(text));
  }

  /** Ends what an earlier, killed launcher left behind. */
  async clearLeftovers(): Promise<void> {
    await removeEndpoints(this.directory);
    const ended = await endOrphans(this.services, this.directory.root);
    if (ended > 0) this.progress.say(`Ended ${ended} processes that a killed launcher had left behind`);
  }

  /** Starts everything and announces it. */
  bringUp(): Promise<void> {
    this.logs.start();
    this.rising = this.rise();
    return this.rising;
  }

  /** Stops everything, also when it is only half-way up. */
  async takeDown(): Promise<void> {
    this.cut.abort(new Error('stopped while starting'));
    await removeEndpoints(this.directory);
    await stopEverything(this.parts);
    await this.rising.catch(() => undefined);
    // What was created while the rise noticed that it is over.
    await stopEverything(this.parts);
    await this.logs.stop();
  }

  private async rise(): Promise<void> {
    const platform = await this.startBackends();
    this.cut.signal.throwIfAborted();
    this.progress.step('Bringing the database up to date');
    await migrate(platform, this.services, this.directory.logFile, this.cut.signal);
    this.cut.signal.throwIfAborted();
    await this.startServices(platform);
    const adminUrl = natsUrlFor(platform, ADMIN_USER);
    const key = await firstBoot(this.directory, adminUrl);
    await this.announce(platform, adminUrl, key);
  }

  private async startBackends(): Promise<Platform> {
    const { settings, directory } = this;
    this.progress.step('Starting the database and the bus');
    const masterKey = await masterKeyOf(directory, settings.masterKey);
    const say = (text: string) => this.progress.say(text);
    const register = (supervised: Supervised) => void this.parts.backends.push(supervised);
    const [databaseUrl, natsUrl] = await Promise.all([
      this.startDatabase(say, register),
      startBus(settings, directory, () => usersOfTheBus(masterKey), say, register),
    ]);
    await this.waitForGiven();
    return { settings, masterKey, databaseUrl, natsUrl };
  }

  /** What the operator runs may come up later than the platform. */
  private async waitForGiven(): Promise<void> {
    const { databaseUrl, natsUrl } = this.settings;
    const given = [
      ...(databaseUrl === null ? [] : [postgresAt(databaseUrl)]),
      ...(natsUrl === null ? [] : [natsAt(natsUrl)]),
    ];
    const report = (text: string) => this.progress.say(text);
    await Promise.all(given.map((each) => untilAvailable(each, report, this.cut.signal)));
  }

  private async startDatabase(say: (text: string) => void, register: (part: Supervised) => void): Promise<string> {
    const serverUrl = await startDatabase(this.settings, this.directory, say, register);
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
        say: (text) => progress.say(text),
        launch: (cut) => launchService({ service, environment, logFile }, cut, (text) => progress.say(text)),
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
      database_url: platform.databaseUrl,
      nats_url: natsUrl,
      object_store_url: objectStoreUrl,
    });
    this.progress.end();
    if (key !== null) {
      this.progress.say(`The first company is "demo". Its admin key, shown this once and kept in`);
      this.progress.say(`${this.directory.adminKey}: ${key}`);
    }
    this.progress.say(`Signalbox is ready at ${baseUrl}`);
  }
}
