import type { EventLoopUtilization } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@signalbox/contracts';
import { type EvaluationKind, type EvaluationRequest, type Evaluations, EvaluationTooCostly } from './evaluation.js';
import { EvaluationThread } from './evaluation-thread.js';
import { FairQueue } from './fair-queue.js';
import { MachineLoad } from './machine-load.js';
import { Priority } from './thread-priority.js';

export interface EvaluationLimits {
  /** Each is started on first use. */
  threads: number;
  /** Concurrent evaluations of a company; one thread is reserved for the others. */
  perCompany: number;
  waiting: number;
  waitingBytes: number;
  waitMs: number;
  /** CPU time of an evaluation. */
  budgetMs: number;
  /**
   * Wall time of an attempt, and of the start of a thread for the second one. CPU time decides whether an evaluation is
   * too costly; these bound only the wait on a busy machine.
   */
  wallMs: number;
  startMs: number;
}

const LIMITS: EvaluationLimits = {
  threads: 2,
  perCompany: 1,
  waiting: 1_000,
  waitingBytes: 64 * 1024 * 1024,
  waitMs: 25_000,
  budgetMs: 250,
  wallMs: 25_000,
  startMs: 10_000,
};
/** The second attempt has a new thread, where nothing else has used memory. */
const MAX_TRIES = 2;

/** CPU time below which a company needs no pause. */
const SHORT_MS = 20;
/** Utilisation from which the event loop, or the machine, counts as busy. */
const BUSY = 0.5;
/** Pause of a company after an evaluation, in multiples of its CPU time, at full utilisation. */
const PAUSE = 6;
/** Less than evaluations may wait for a thread. */
const MAX_PAUSE_MS = 2500;

interface Evaluation {
  request: EvaluationRequest;
  resolve(output: Evaluations[EvaluationKind]['output']): void;
  reject(error: Error): void;
}

/**
 * Evaluates user schemas and patterns, which can use minutes of CPU time, in threads that can be terminated. Companies
 * take turns, none holds all threads, and an evaluation that takes too long costs only its own thread.
 */
export class EvaluationThreads {
  private readonly limits: EvaluationLimits;
  private readonly queue: FairQueue<Evaluation>;
  private readonly idle: EvaluationThread[] = [];
  /**
   * Companies whose last evaluation was long: the next one runs on a thread of lower priority, so that the other
   * threads stay available to other companies.
   */
  private readonly costly = new Set<number>();
  private running = 0;
  private count = 0;
  private stopped = false;
  private readonly busy = new Set<EvaluationThread>();

  constructor(
    limits: Partial<EvaluationLimits> = {},
    private readonly machine: Pick<MachineLoad, 'shareWithout'> = new MachineLoad(),
  ) {
    this.limits = { ...LIMITS, ...limits };
    this.queue = new FairQueue({
      running: this.limits.perCompany,
      waiting: this.limits.waiting,
      waitingBytes: this.limits.waitingBytes,
    });
  }

  /**
   * Throws `EvaluationTooCostly`, and 503 when too many evaluations of the company wait or this one has waited until
   * `deadline` (epoch ms), by default for `waitMs`.
   */
  run<Kind extends EvaluationKind>(
    companyId: number,
    kind: Kind,
    input: Evaluations[Kind]['input'],
    deadline = Date.now() + this.limits.waitMs,
  ): Promise<Evaluations[Kind]['output']> {
    return new Promise((resolve, reject) => {
      const late = (): void => {
        if (this.queue.remove(companyId, evaluation)) reject(tooMany());
      };
      const timer = setTimeout(late, Math.max(deadline - Date.now(), 0));
      const evaluation: Evaluation = {
        request: { id: ++this.count, kind, input },
        resolve: (output) => {
          clearTimeout(timer);
          resolve(output);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      if (this.queue.add(companyId, evaluation, sizeOf(input))) this.startNext();
      else evaluation.reject(tooMany());
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await Promise.all([...this.idle, ...this.busy].map((thread) => thread.end()));
  }

  private startNext(): void {
    if (this.running >= this.limits.threads) return;
    const next = this.queue.take();
    if (!next) return;
    this.running += 1;
    const before = performance.eventLoopUtilization();
    void this.evaluate(next.companyId, next.item).then((usedMs) => {
      this.running -= 1;
      this.endAfter(next.companyId, usedMs < SHORT_MS ? 0 : this.pauseAfter(usedMs, before));
      this.startNext();
    });
    this.startNext();
  }

  /**
   * In ms. While this process or its machine is busy, even threads of the lowest priority take time from the calls of
   * others.
   */
  private pauseAfter(usedMs: number, before: EventLoopUtilization): number {
    const { utilization } = performance.eventLoopUtilization(before);
    const share = Math.max(utilization, this.machine.shareWithout(usedMs));
    return share < BUSY ? 0 : Math.min(PAUSE * usedMs * share, MAX_PAUSE_MS);
  }

  private endAfter(companyId: number, pauseMs: number): void {
    const end = (): void => {
      this.queue.ended(companyId);
      this.startNext();
    };
    if (pauseMs < 1 || this.stopped) end();
    else setTimeout(end, pauseMs).unref();
  }

  private async threadFor(companyId: number): Promise<EvaluationThread> {
    const isLong = this.costly.has(companyId);
    const at = this.idle.findIndex((each) => each.isForLong === isLong);
    if (at >= 0) return this.idle.splice(at, 1)[0]!;
    return EvaluationThread.start(isLong ? Priority.long : Priority.short);
  }

  private async keep(thread: EvaluationThread): Promise<void> {
    const alike = this.idle.filter(({ isForLong }) => isForLong === thread.isForLong).length;
    if (this.stopped || alike >= (thread.isForLong ? this.limits.perCompany : this.limits.threads)) await thread.end();
    else this.idle.push(thread);
  }

  /** Null when it takes too long; the thread then ends as soon as it has started. */
  private async startedInTime(): Promise<EvaluationThread | null> {
    const starting = EvaluationThread.start(Priority.long);
    const late = new AbortController();
    const timeout = delay(this.limits.startMs, null, { signal: late.signal, ref: false }).catch(() => null);
    const thread = await Promise.race([starting, timeout]);
    late.abort();
    if (!thread) void starting.then((started) => started.end()).catch(() => undefined);
    return thread;
  }

  /** Returns the CPU time in ms; never throws. */
  private async evaluate(companyId: number, { request, resolve, reject }: Evaluation): Promise<number> {
    let usedMs = 0;
    try {
      for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
        const thread = attempt === 1 ? await this.threadFor(companyId) : await this.startedInTime();
        // The budget was used up once; do not wait for a machine that cannot start a second thread.
        if (!thread) break;
        this.busy.add(thread);
        const cpuMs = this.limits.budgetMs * attempt;
        const { wallMs } = this.limits;
        const began = performance.now();
        const reply = await thread.ask(request, { cpuMs, wallMs });
        this.busy.delete(thread);
        usedMs += thread.usedMs;
        if (!reply) {
          this.costly.add(companyId);
          if (thread.usedMs < cpuMs && performance.now() - began >= wallMs) throw noTime();
          continue;
        }
        if (thread.wasLong) this.costly.add(companyId);
        else this.costly.delete(companyId);
        await this.keep(thread);
        if ('error' in reply) reject(new Error(reply.error));
        else resolve(reply.output);
        return usedMs;
      }
      reject(new EvaluationTooCostly(this.limits.budgetMs));
    } catch (error) {
      reject(error as Error);
    }
    return usedMs;
  }
}

/** Nothing is known about the schema or the pattern. */
const noTime = (): ApiError => new ApiError('timeout', 'evaluating schemas and patterns timed out');
const sizeOf = (input: object): number =>
  Object.values(input)
    .flat()
    .reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);

const tooMany = (): ApiError =>
  new ApiError('unavailable', 'too many schemas and patterns of this company wait to be evaluated', { retryAfter: 1 });
