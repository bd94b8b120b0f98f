import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { EvaluationReply, EvaluationRequest } from './evaluation.js';
import { cpuMsOf } from './thread-time.js';

const MEMORY_MB = 64;
const MIN_CHECK_MS = 5;

/** What one evaluation may use. */
export interface EvaluationBudget {
  /** CPU time of the thread; where the system does not count it, the time since the evaluation began. */
  cpuMs: number;
  /** Time since the evaluation began: a thread that gets no CPU time is not waited for without end. */
  wallMs: number;
}

/** A thread that runs one evaluation at a time and is terminated when the evaluation exceeds its budget. */
export class EvaluationThread {
  private constructor(
    private readonly worker: Worker,
    /** Null where threads have no id of the system. */
    readonly id: number | null,
  ) {}

  /** Resolves when the thread has loaded its modules. */
  static async start(): Promise<EvaluationThread> {
    const worker = new Worker(new URL('./evaluation-worker.js', import.meta.url), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    worker.unref();
    // A thread that runs out of memory emits this at any moment; without a listener the process would exit.
    worker.on('error', () => undefined);
    const [id] = (await once(worker, 'message')) as [number | null];
    return new EvaluationThread(worker, id);
  }

  /** Returns the reply; null when it exceeded the budget or the thread ended. In both cases the thread has ended. */
  async ask(request: EvaluationRequest, budget: EvaluationBudget): Promise<EvaluationReply | null> {
    const silent = new AbortController();
    const replied = once(this.worker, 'message', { signal: silent.signal }) as Promise<[EvaluationReply]>;
    const exited = (): void => silent.abort();
    this.worker.once('exit', exited);
    const stopWatching = this.watch(budget, exited);
    this.worker.postMessage(request);
    try {
      return (await replied)[0];
    } catch {
      await this.end();
      return null;
    } finally {
      stopWatching();
      this.worker.off('exit', exited);
    }
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  /** Calls back when the budget is used up; returns what ends the watch. */
  private watch({ cpuMs, wallMs }: EvaluationBudget, exceeded: () => void): () => void {
    const began = performance.now();
    const cpuBefore = cpuMsOf(this.id);
    const msLeft = (): number => {
      const passed = performance.now() - began;
      const cpu = cpuMsOf(this.id);
      const used = cpu === null || cpuBefore === null ? passed : cpu - cpuBefore;
      return Math.min(cpuMs - used, wallMs - passed);
    };
    let timer: NodeJS.Timeout;
    const check = (): void => {
      const left = msLeft();
      // After a pause of this event loop the reply may have arrived: it is delivered before the immediate.
      if (left <= 0) setImmediate(exceeded);
      else timer = setTimeout(check, Math.max(left, MIN_CHECK_MS));
    };
    timer = setTimeout(check, Math.min(cpuMs, wallMs));
    return () => clearTimeout(timer);
  }
}
