import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { EvaluationReply, EvaluationRequest } from './evaluation.js';
import { lowerPriority, Priority } from './thread-priority.js';
import { cpuMsOf } from './thread-time.js';

const MEMORY_MB = 64;
const MIN_CHECK_MS = 5;
const SHORT_MS = 20;

export interface EvaluationBudget {
  /** CPU time; wall time where the system does not count CPU time by thread. */
  cpuMs: number;
  /** Wall time, which bounds the wait for a thread that gets no CPU time. */
  wallMs: number;
}

/** Runs one evaluation at a time and is terminated when that exceeds its budget. */
export class EvaluationThread {
  private constructor(
    private readonly worker: Worker,
    /** Null where threads have no system id. */
    readonly id: number | null,
    private priority: number,
  ) {}

  private isLong = false;
  private used = 0;

  get usedMs(): number {
    return this.used;
  }

  get wasLong(): boolean {
    return this.isLong;
  }

  /** Has the lower priority, which a process may not raise again. */
  get isForLong(): boolean {
    return this.priority === Priority.long;
  }

  static async start(priority: number = Priority.short): Promise<EvaluationThread> {
    const worker = new Worker(new URL('./evaluation-worker.js', import.meta.url), {
      env: {},
      workerData: priority,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    worker.unref();
    // Emitted at any moment when the thread runs out of memory; without a listener the process would exit.
    worker.on('error', () => undefined);
    const [id] = (await once(worker, 'message')) as [number | null];
    return new EvaluationThread(worker, id, priority);
  }

  /** Null when the budget was exceeded or the thread ended; the thread has ended in both cases. */
  async ask(request: EvaluationRequest, budget: EvaluationBudget): Promise<EvaluationReply | null> {
    const silent = new AbortController();
    const replied = once(this.worker, 'message', { signal: silent.signal }) as Promise<[EvaluationReply]>;
    const exited = (): void => silent.abort();
    this.worker.once('exit', exited);
    this.isLong = false;
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

  private watch({ cpuMs, wallMs }: EvaluationBudget, exceeded: () => void): () => void {
    const began = performance.now();
    const cpuBefore = cpuMsOf(this.id);
    const cpuUsed = (): number | null => {
      const cpu = cpuMsOf(this.id);
      return cpu === null || cpuBefore === null ? null : cpu - cpuBefore;
    };
    let timer: NodeJS.Timeout;
    this.used = 0;
    const check = (): void => {
      const passed = performance.now() - began;
      const cpu = cpuUsed();
      this.used = cpu ?? passed;
      if (cpu !== null && cpu >= SHORT_MS) this.becomeLong();
      const left = Math.min(cpuMs - (cpu ?? passed), wallMs - passed);
      // After a pause of this event loop the reply may have arrived: it is delivered before the immediate.
      if (left <= 0) setImmediate(exceeded);
      else timer = setTimeout(check, Math.max(this.isLong ? left : Math.min(left, SHORT_MS), MIN_CHECK_MS));
    };
    timer = setTimeout(check, Math.min(cpuMs, wallMs, SHORT_MS));
    return () => {
      clearTimeout(timer);
      // A thread that has ended has no figure: the last one stays.
      this.used = Math.max(this.used, cpuUsed() ?? 0);
    };
  }

  private becomeLong(): void {
    this.isLong = true;
    if (this.isForLong) return;
    this.priority = Priority.long;
    lowerPriority(this.id, this.priority);
  }
}
