import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
  Optional,
} from '@nestjs/common';
import {
  GracefulStop,
  type Job,
  type JobKinds,
  LOGGER,
  type Logger,
  unknownWork,
  WORK,
  type WorkStore,
} from '@signalbox/platform';
import { BusConnection } from '../connection.js';
import { type DecoratedMethod, DecoratedMethodScanner, methodOf } from '../decorated-methods.js';
import { Every } from '../intervals/every.js';
import { JOB_HANDLER, type JobHandlerMetadata } from './job-handler.js';
import { sharedKind, type WorkKind } from './work-kind.js';
import { WorkLoop } from './work-loop.js';

export const JOB_KINDS = Symbol('job kinds');

const LOOK_EVERY_MS = 60_000;

/**
 * Runs every method with `@JobHandler`. A stopping process claims no more jobs; running ones have the grace period to
 * end or to yield between two steps, then they are released to other processes.
 */
@Injectable()
export class JobRunner implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private kinds: WorkKind[] = [];
  private loops: WorkLoop[] = [];
  private ending: Promise<void> | undefined;
  private unknown = new Set<string>();

  constructor(
    private readonly methods: DecoratedMethodScanner,
    private readonly connection: BusConnection,
    private readonly stop: GracefulStop,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(JOB_KINDS) private readonly declared: JobKinds,
    @Optional() @Inject(WORK) private readonly store?: WorkStore,
  ) {}

  /** Throws unless each declared kind has one handler, and each handler a declared kind. */
  onModuleInit(): void {
    this.kinds = this.methods.of<JobHandlerMetadata>(JOB_HANDLER).map((method) => this.kindOf(method));
    const handled = this.kinds.map(({ kind }) => kind);
    const declared = Object.values(this.declared).map(({ name }) => name);
    const twice = handled.find((kind, at) => handled.indexOf(kind) !== at);
    if (twice !== undefined) throw new Error(`jobs of kind ${twice} have two handlers`);
    const undeclared = handled.find((kind) => !declared.includes(kind));
    if (undeclared !== undefined) throw new Error(`jobs of kind ${undeclared} have a handler and are not declared`);
    const unhandled = declared.find((kind) => !handled.includes(kind));
    if (unhandled !== undefined) throw new Error(`jobs of kind ${unhandled} are declared and have no handler`);
  }

  onApplicationBootstrap(): void {
    this.stop.stopping.addEventListener('abort', () => void this.end(), { once: true });
    this.loops = this.kinds.map((kind) => this.start(kind));
  }

  end(): Promise<void> {
    this.ending ??= Promise.all(this.loops.map((loop) => loop.stop(this.stop.graceMs))).then(() => undefined);
    return this.ending;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.end();
  }

  /** Jobs that no process claims: a misspelt kind, or one of another release. */
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

  private kindOf({ metadata, instance, run }: DecoratedMethod<JobHandlerMetadata>): WorkKind {
    const { kind, onExhausted, ...options } = metadata;
    const withPayload = (job: Job): Job => Object.assign(job, { payload: kind.read(job.ref) });
    const exhausted = onExhausted === undefined ? undefined : methodOf(instance, onExhausted);
    return {
      ...options,
      kind: kind.name,
      run: (job, ...signals) => run(withPayload(job), ...signals),
      exhausted: async (job, cause) => {
        if (exhausted) await exhausted(withPayload(job), cause);
        else this.logExhausted(job, cause);
      },
    };
  }

  private start(kind: WorkKind): WorkLoop {
    if (!this.store) throw new Error('a service that works on jobs needs a work table');
    const loop = new WorkLoop(this.store, this.connection, this.logger, kind);
    loop.start();
    return loop;
  }

  private logExhausted({ kind, companyId, ref, attempt }: Job, error: unknown): void {
    this.logger.error(
      { error, kind, company_id: companyId, ref, attempt },
      'a job failed its last attempt and is not tried again',
    );
  }
}
