import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
  Optional,
} from '@nestjs/common';
import { GracefulStop, type Job, LOGGER, type Logger, unknownWork, WORK, type WorkStore } from '@signalbox/platform';
import { BusConnection } from '../connection.js';
import { Every } from '../intervals/every.js';
import { MarkedMethods } from '../marked-methods.js';
import { sharedKind, type WorkKind } from './work-kind.js';
import { WorkLoop } from './work-loop.js';
import { GIVES_UP, type GiveUpMark, type WorkMark, WORKS } from './works.js';

const LOOK_EVERY_MS = 60_000;

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
  private unknown = new Set<string>();

  constructor(
    private readonly methods: MarkedMethods,
    private readonly connection: BusConnection,
    private readonly stop: GracefulStop,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(WORK) private readonly store?: WorkStore,
  ) {}

  onModuleInit(): void {
    const givenUp = new Map(this.methods.of<GiveUpMark>(GIVES_UP).map(({ mark, run }) => [mark.kind, run]));
    this.kinds = this.methods.of<WorkMark>(WORKS).map(({ mark, run }) => ({
      ...mark,
      run,
      exhausted: givenUp.get(mark.kind) ?? ((job, error) => this.logGivenUp(job, error)),
    }));
    requireKinds(
      this.kinds.map(({ kind }) => kind),
      [...givenUp.keys()],
    );
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

  /** Reports jobs that this process will never claim: of a kind with a typing error, or of another release. */
  @Every(LOOK_EVERY_MS, 'the kinds of waiting work could not be read')
  async reportUnknownKinds(): Promise<void> {
    if (!this.store || this.kinds.length === 0) return;
    // Runs have separate loops.
    const known = new Set(this.store.offeredKinds().map((kind) => sharedKind({ kind })));
    const waiting = (await this.store.waitingKinds()).map((kind) => sharedKind({ kind }));
    const unknown = new Set(waiting.filter((kind) => !known.has(kind)));
    for (const kind of unknown)
      if (!this.unknown.has(kind)) this.logger.warn({ kind }, 'jobs wait whose kind this process does not know');
    unknownWork.reset();
    for (const kind of unknown) unknownWork.set({ kind }, 1);
    this.unknown = unknown;
  }

  private start(kind: WorkKind): WorkLoop {
    if (!this.store) throw new Error('a service that works on jobs needs a work table');
    const loop = new WorkLoop(this.store, this.connection, this.logger, kind);
    loop.start();
    return loop;
  }

  private logGivenUp({ kind, companyId, ref }: Job, error: unknown): Promise<void> {
    this.logger.error({ error, kind, company_id: companyId, ref }, 'a job failed its last attempt and is given up');
    return Promise.resolve();
  }
}

/** Each kind has one worker, and every method that gives up jobs has such a kind. */
function requireKinds(kinds: string[], givenUp: string[]): void {
  const twice = kinds.find((kind, at) => kinds.indexOf(kind) !== at);
  if (twice !== undefined) throw new Error(`work of kind ${twice} has two workers`);
  const unknown = givenUp.find((kind) => !kinds.includes(kind));
  if (unknown !== undefined) throw new Error(`work of kind ${unknown}, which a method gives up, has no worker`);
}
