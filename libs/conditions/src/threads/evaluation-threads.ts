import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@signalbox/contracts';
import { type EvaluationKind, type EvaluationRequest, type Evaluations, EvaluationTooCostly } from './evaluation.js';
import { EvaluationThread } from './evaluation-thread.js';
import { FairQueue } from './fair-queue.js';

/** The limits of evaluations, of all companies and of one. */
export interface EvaluationLimits {
  /** Maximum number of threads; each is started on first use. */
  threads: number;
  /** Concurrent evaluations of one company. One thread is reserved for the others. */
  perCompany: number;
  /** Waiting evaluations of one company. */
  waiting: number;
  /** Maximum time that an evaluation waits for a thread. */
  waitMs: number;
  /** Maximum CPU time of an evaluation. */
  budgetMs: number;
  /** Maximum time that the second attempt of an evaluation waits for its thread to start. */
  startMs: number;
}

const LIMITS: EvaluationLimits = {
  threads: 2,
  perCompany: 1,
  waiting: 200,
  waitMs: 10_000,
  budgetMs: 250,
  startMs: 3_000,
};
/** A second attempt on a new thread, where nothing else has used memory. */
const MAX_TRIES = 2;
/** Times its CPU time that an evaluation may take on a machine that leaves its thread little of it. */
const MAX_SLOWDOWN = 8;

interface Evaluation {
  request: EvaluationRequest;
  resolve(output: Evaluations[EvaluationKind]['output']): void;
  reject(error: Error): void;
}

/**
 * Evaluates user schemas and patterns in threads that can be terminated: small ones can use minutes of CPU time.
 * Companies take turns, none holds all threads, and an evaluation that takes too long costs only its own thread.
 */
export class EvaluationThreads {
  private readonly limits: EvaluationLimits;
  private readonly queue: FairQueue<Evaluation>;
  private readonly idle: EvaluationThread[] = [];
  /**
   * Companies whose last evaluation ended its thread: they wait for a new one, and the warm ones stay available to the
   * others.
   */
  private readonly costly = new Set<number>();
  private running = 0;
  private count = 0;
  private stopped = false;
  /** Threads that are evaluating or being started. */
  private readonly busy = new Set<EvaluationThread>();

  constructor(limits: Partial<EvaluationLimits> = {}) {
    this.limits = { ...LIMITS, ...limits };
    this.queue = new FairQueue({ running: this.limits.perCompany, waiting: this.limits.waiting });
  }

  /** Throws `EvaluationTooCostly`, and 503 when too many evaluations of the company are waiting. */
  run<Kind extends EvaluationKind>(
    companyId: number,
    kind: Kind,
    input: Evaluations[Kind]['input'],
  ): Promise<Evaluations[Kind]['output']> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        if (this.queue.remove(companyId, evaluation)) reject(tooMany());
      }, this.limits.waitMs);
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
      if (this.queue.add(companyId, evaluation)) this.startNext();
      else evaluation.reject(tooMany());
    });
  }

  /** Ends all threads; running evaluations fail. */
  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await Promise.all([...this.idle, ...this.busy].map((thread) => thread.end()));
  }

  private startNext(): void {
    if (this.running >= this.limits.threads) return;
    const next = this.queue.take();
    if (!next) return;
    this.running += 1;
    void this.evaluate(next.companyId, next.item).finally(() => {
      this.running -= 1;
      this.queue.ended(next.companyId);
      this.startNext();
    });
    this.startNext();
  }

  /** Starts a thread; null when that takes too long. It then ends as soon as it has started. */
  private async startedInTime(): Promise<EvaluationThread | null> {
    const starting = EvaluationThread.start();
    const late = new AbortController();
    const timeout = delay(this.limits.startMs, null, { signal: late.signal, ref: false }).catch(() => null);
    const thread = await Promise.race([starting, timeout]);
    late.abort();
    if (!thread) void starting.then((started) => started.end()).catch(() => undefined);
    return thread;
  }

  private async evaluate(companyId: number, { request, resolve, reject }: Evaluation): Promise<void> {
    try {
      for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
        const warm = this.costly.has(companyId) ? undefined : this.idle.pop();
        const thread = warm ?? (await (attempt === 1 ? EvaluationThread.start() : this.startedInTime()));
        // It has used up its budget once; a machine that starts no thread for a second attempt is no reason to wait.
        if (!thread) break;
        this.busy.add(thread);
        const cpuMs = this.limits.budgetMs * attempt;
        const reply = await thread.ask(request, { cpuMs, wallMs: cpuMs * MAX_SLOWDOWN });
        this.busy.delete(thread);
        if (!reply) {
          this.costly.add(companyId);
          continue;
        }
        this.costly.delete(companyId);
        if (this.stopped || this.idle.length >= this.limits.threads) await thread.end();
        else this.idle.push(thread);
        return 'error' in reply ? reject(new Error(reply.error)) : resolve(reply.output);
      }
      reject(new EvaluationTooCostly(this.limits.budgetMs));
    } catch (error) {
      reject(error as Error);
    }
  }
}

const tooMany = (): ApiError =>
  new ApiError('unavailable', 'too many schemas and patterns of this company wait to be evaluated', { retryAfter: 1 });
