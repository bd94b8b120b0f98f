import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
  Optional,
} from '@nestjs/common';
import { GracefulStop, type Job, LOGGER, type Logger, WORK, type WorkStore } from '@signalbox/platform';
import { BusConnection } from '../connection.js';
import { MarkedMethods } from '../marked-methods.js';
import type { WorkKind } from './work-kind.js';
import { WorkLoop } from './work-loop.js';
import { GIVES_UP, type GiveUpMark, type WorkMark, WORKS } from './works.js';

/**
 * Runs every method marked with `@Works` while the process runs. A process that stops claims no more jobs at once;
 * running jobs have the grace period to end or to yield between two steps, and are released to other processes after
 * that.
 */
@Injectable()
export class WorkRunner implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private kinds: WorkKind[] = [];
  private loops: WorkLoop[] = [];
  private ending: Promise<void> | undefined;

  constructor(
    private readonly methods: MarkedMethods,
    private readonly connection: BusConnection,
    private readonly stop: GracefulStop,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(WORK) private readonly store?: WorkStore,
  ) {}

  onModuleInit(): void {
    const exhausted = this.givingUp();
    this.kinds = this.methods
      .of<WorkMark>(WORKS)
      .map(({ mark, run }) => ({ ...mark, run, exhausted: exhausted(mark.kind) }));
    requireOneEach(this.kinds.map(({ kind }) => kind));
  }

  onApplicationBootstrap(): void {
    this.stop.stopping.addEventListener('abort', () => void this.end(), { once: true });
    this.loops = this.kinds.map((kind) => this.start(kind));
  }

  /** Stops claiming; resolves when every job has ended or is released. */
  end(): Promise<void> {
    this.ending ??= Promise.all(this.loops.map((loop) => loop.stop(this.stop.graceMs))).then(() => undefined);
    return this.ending;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.end();
  }

  private start(kind: WorkKind): WorkLoop {
    if (!this.store) throw new Error('a service that works on jobs needs a work table');
    const loop = new WorkLoop(this.store, this.connection, this.logger, kind);
    loop.start();
    return loop;
  }

  private givingUp(): (kind: string) => WorkKind['exhausted'] {
    const methods = new Map(this.methods.of<GiveUpMark>(GIVES_UP).map(({ mark, run }) => [mark.kind, run]));
    return (kind) => methods.get(kind) ?? ((job, error) => this.logGivenUp(job, error));
  }

  private logGivenUp({ kind, companyId, ref }: Job, error: unknown): Promise<void> {
    this.logger.error({ error, kind, company_id: companyId, ref }, 'a job failed its last attempt and is given up');
    return Promise.resolve();
  }
}

function requireOneEach(kinds: string[]): void {
  const twice = kinds.find((kind, at) => kinds.indexOf(kind) !== at);
  if (twice !== undefined) throw new Error(`work of kind ${twice} has two workers`);
}
