import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import type { WorkLoop } from '@signalbox/bus';
import { GracefulStop, LOGGER, type Logger, workLeaseMs } from '@signalbox/platform';
import { RunWaits } from '../reads/run-waits.js';
import { SecretExchange } from '../secrets/secret-exchange.js';
import { SecretHolderLeases } from '../secrets/secret-holder-leases.repository.js';
import { SecretHolder } from '../secrets/secret-holder.js';
import { RunWorkLoops } from './run-work-loops.js';
import { SuspendedRuns } from './suspended-runs.js';

/** Almost four renewals of a holder id per lease. */
const RENEWALS = 7.5;

/**
 * Executes runs. A stopping process claims no more work, lets its runs yield between two steps and transfers their
 * secrets to another process, while the calls it serves still end.
 */
@Injectable()
export class RunWorker implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loopsByHolder = new Map<string, WorkLoop[]>();
  private shared: WorkLoop[] = [];
  private timer: NodeJS.Timeout | undefined;
  private ending: Promise<void> | undefined;

  constructor(
    private readonly secrets: SecretHolder,
    private readonly exchange: SecretExchange,
    private readonly holders: SecretHolderLeases,
    private readonly suspended: SuspendedRuns,
    private readonly waits: RunWaits,
    private readonly loops: RunWorkLoops,
    private readonly stop: GracefulStop,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The lease must exist before the first secret arrives. */
  async onModuleInit(): Promise<void> {
    await this.holders.renew([this.secrets.id], null);
    this.exchange.serve(this.secrets.id);
  }

  /** Ready only once others can see that it accepts secrets: a process that stops right then finds it. */
  async onApplicationBootstrap(): Promise<void> {
    this.shared = this.loops.startShared();
    this.loopsByHolder.set(this.secrets.id, this.loops.startHeld(this.secrets.id));
    this.exchange.startAccepting((ids) => this.takeOver(ids));
    this.timer = setInterval(() => void this.heartbeat(), workLeaseMs() / RENEWALS);
    this.stop.stopping.addEventListener('abort', () => void this.end(), { once: true });
    await this.report();
  }

  /** After the calls of this process have ended: secrets that they have accepted are transferred as well. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.end();
    clearInterval(this.timer);
    await this.transfer([...this.loopsByHolder.keys()]);
    this.waits.close();
    this.exchange.close();
    await this.holders.release([...this.loopsByHolder.keys()]);
  }

  private end(): Promise<void> {
    this.ending ??= this.transferOpen().catch((error: unknown) =>
      this.logger.error({ error }, 'open runs could not be transferred'),
    );
    return this.ending;
  }

  private async transferOpen(): Promise<void> {
    this.exchange.stopAccepting();
    const ids = [...this.loopsByHolder.keys()];
    const loops = [...this.shared, ...this.loopsByHolder.values()].flat();
    const ended = Promise.all(loops.map((loop) => loop.stop(this.stop.graceMs)));
    await this.acceptUnderNewId();
    await ended;
    await this.transfer(ids);
  }

  /** Open calls may still accept secrets, which are transferred at the end. */
  private async acceptUnderNewId(): Promise<void> {
    this.secrets.renew();
    this.loopsByHolder.set(this.secrets.id, []);
    this.exchange.serve(this.secrets.id);
    await this.report();
  }

  private async transfer(ids: string[]): Promise<void> {
    const runs = this.secrets.runsOf(ids).length;
    if (runs === 0) return;
    for (const successor of await this.holders.successors([...this.loopsByHolder.keys()])) {
      if (!(await this.exchange.transferTo(ids, successor))) continue;
      for (const id of ids) this.drop(id);
      return this.logger.info(
        { runs, to: successor.holder },
        'the secrets of open runs were transferred to another process',
      );
    }
    this.logger.warn({ runs }, 'no other process accepts the secrets of open runs: these runs will fail');
  }

  private async takeOver(ids: string[]): Promise<void> {
    const fresh = ids.filter((id) => !this.loopsByHolder.has(id));
    for (const id of fresh) this.loopsByHolder.set(id, []);
    await this.report();
    for (const id of fresh) {
      this.exchange.serve(id);
      this.loopsByHolder.set(id, this.loops.startHeld(id));
    }
    this.logger.info({ holders: ids }, 'the secrets of another process were taken over');
  }

  private drop(id: string): void {
    this.loopsByHolder.delete(id);
    this.exchange.stopServing(id);
  }

  /** The own id comes first. */
  private report(): Promise<void> {
    const others = [...this.loopsByHolder.keys()].filter((id) => id !== this.secrets.id);
    return this.holders.renew([this.secrets.id, ...others], this.exchange.publicKey);
  }

  private async heartbeat(): Promise<void> {
    try {
      await this.report();
      if (this.ending) return;
      await this.dropUnused();
      const released = await this.holders.releaseDead(this.stop.stopping);
      if (released > 0) this.logger.warn({ released }, 'work of dead holders was released');
      await this.suspended.sweep(this.stop.stopping);
    } catch (error) {
      this.logger.warn({ error }, 'holders and suspended runs could not be checked');
    }
  }

  private async dropUnused(): Promise<void> {
    const unused = [...this.loopsByHolder].filter(
      ([id]) => id !== this.secrets.id && this.secrets.runsOf([id]).length === 0,
    );
    for (const [id, loops] of unused) {
      await Promise.all(loops.map((loop) => loop.stop()));
      this.drop(id);
      await this.holders.release([id]);
    }
  }
}
