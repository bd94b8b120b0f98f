import { ApiError } from '@signalbox/contracts';
import { type EvaluationKind, type EvaluationRequest, type Evaluations, EvaluationTooCostly } from './evaluation.js';
import { EvaluationThread } from './evaluation-thread.js';
import { FairQueue } from './fair-queue.js';

/** Bounds of what all companies, and one of them, may have evaluated. */
export interface EvaluationLimits {
  /** Threads at most; each is started when it is first needed. */
  threads: number;
  /** Evaluations of one company that run at once. One thread stays for the others. */
  perCompany: number;
  /** Evaluations of one company that wait. */
  waiting: number;
  /** How long an evaluation may wait for a thread. */
  waitMs: number;
  /** How long an evaluation may run. */
  budgetMs: number;
}

const LIMITS: EvaluationLimits = { threads: 2, perCompany: 1, waiting: 200, waitMs: 10_000, budgetMs: 250 };
/** A second try on a fresh thread tells a greedy evaluation from a busy machine. */
const MAX_TRIES = 2;

interface Evaluation {
  request: EvaluationRequest;
  resolve(output: Evaluations[EvaluationKind]['output']): void;
  reject(error: Error): void;
}

/**
 * Evaluates schemas and patterns of users in threads that can be ended: small ones can burn minutes. Companies take
 * turns, none has all threads, and what takes too long costs its own thread alone.
 */
export class EvaluationThreads {
  private readonly limits: EvaluationLimits;
  private readonly queue: FairQueue<Evaluation>;
  private readonly idle: EvaluationThread[] = [];
  /** Companies whose last evaluation ended its thread: they wait for a new one and leave the warm ones to the others. */
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

  /** Throws `EvaluationTooCostly`, and 503 when too much of the company waits already. */
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

  /** Ends all threads; what still runs fails. */
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

  private async evaluate(companyId: number, { request, resolve, reject }: Evaluation): Promise<void> {
    try {
      for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
        const warm = this.costly.has(companyId) ? undefined : this.idle.pop();
        const thread = warm ?? (await EvaluationThread.start());
        this.busy.add(thread);
        const reply = await thread.ask(request, this.limits.budgetMs * attempt);
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
