import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { EvaluationReply, EvaluationRequest } from './evaluation.js';

const MEMORY_MB = 64;

/** A thread that runs one evaluation at a time and is terminated when the evaluation exceeds its budget. */
export class EvaluationThread {
  private constructor(private readonly worker: Worker) {}

  /** Resolves when the thread has loaded its modules. */
  static async start(): Promise<EvaluationThread> {
    const worker = new Worker(new URL('./evaluation-worker.js', import.meta.url), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    worker.unref();
    // A thread that runs out of memory emits this at any moment; without a listener the process would exit.
    worker.on('error', () => undefined);
    await once(worker, 'message');
    return new EvaluationThread(worker);
  }

  /** Returns the reply; null when it exceeded the budget or the thread ended. In both cases the thread has ended. */
  async ask(request: EvaluationRequest, budgetMs: number): Promise<EvaluationReply | null> {
    const silent = new AbortController();
    const replied = once(this.worker, 'message', { signal: silent.signal }) as Promise<[EvaluationReply]>;
    const exited = (): void => silent.abort();
    this.worker.once('exit', exited);
    const timer = setTimeout(exited, budgetMs);
    this.worker.postMessage(request);
    try {
      return (await replied)[0];
    } catch {
      await this.end();
      return null;
    } finally {
      clearTimeout(timer);
      this.worker.off('exit', exited);
    }
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}
