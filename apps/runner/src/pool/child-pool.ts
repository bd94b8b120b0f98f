import { ApiError } from '@signalbox/contracts';
import type { Logger } from '@signalbox/platform';
import { type Admission, COMPILING, type Needs, nextToStart, RunningCounts, startableNow } from './admission.js';
import type { MemoryBudget } from './memory-budget.js';
import type { PoolCounts, PoolSettings, RunEnd } from './pool-settings.js';
import type { ChildKind, ScriptChild } from './script-child.js';
import { WaitingList } from './waiting-list.js';

interface Request extends Needs {
  resolve(child: ScriptChild): void;
  reject(error: ApiError): void;
  stop(): void;
}

export type StartChild = (kind: ChildKind) => ScriptChild;

const MIB = 1024 * 1024;
const RESTART_MS = 1000;
/** How long a kind that is not always warm is kept warm after its last use. */
const WARM_MS = 600_000;

/** A process belongs to one company from its first run to its end; some without a company are kept ready. */
export class ChildPool {
  private readonly children = new Set<ScriptChild>();
  private readonly idle = new Set<ScriptChild>();
  private readonly running = new RunningCounts();
  private readonly admission: Admission;
  private readonly waiting: WaitingList<Request>;
  private readonly sweep: NodeJS.Timeout;
  private starting = 0;
  private isClosed = false;
  private lastUsed = -Infinity;

  constructor(
    readonly kind: ChildKind,
    private readonly settings: PoolSettings,
    private readonly memory: MemoryBudget,
    private readonly start: StartChild,
    private readonly log: Logger,
    private readonly report: (kind: ChildKind, counts: PoolCounts) => void,
    private readonly isAlwaysWarm: boolean,
  ) {
    this.waiting = new WaitingList(settings.waiting);
    const { executions, compilations } = settings;
    const limitsOf = (depth: number) => (depth === COMPILING ? compilations : executions);
    this.admission = { running: this.running, limitsOf, memory };
    memory.onFreed(() => this.advance());
    this.sweep = setInterval(() => this.endIdle(), settings.idleMs / 4).unref();
    this.fill();
  }

  /**
   * A process for one execution, to be given back with `release`. Rejects with 503 when none is free until `deadline`,
   * in epoch milliseconds.
   */
  acquire(needs: Needs, deadline: number, signal: AbortSignal): Promise<ScriptChild> {
    this.lastUsed = Date.now();
    return new Promise((resolve, reject) => {
      const refuse = (): void => {
        this.waiting.remove(request);
        request.stop();
        reject(overloaded());
        this.advanceWithout(request.company);
      };
      const timer = setTimeout(refuse, deadline - Date.now());
      const stop = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', refuse);
      };
      const request: Request = { ...needs, resolve, reject, stop };
      if (signal.aborted || !this.waiting.add(request)) return refuse();
      signal.addEventListener('abort', refuse, { once: true });
      this.advance();
    });
  }

  /** Ends a process whose run ended abnormally or that reached its number of runs. */
  release(child: ScriptChild, of: Needs, { isReusable, executedScript }: RunEnd): void {
    this.running.remove(of);
    this.memory.give(of);
    child.listen(null);
    if (executedScript) child.runs++;
    child.idleSince = Date.now();
    const canReuse = isReusable && !child.isDead && !child.isLowered && !this.isSwollen(child);
    if (canReuse && !this.reachedRunLimit(child)) this.idle.add(child);
    else child.kill();
    this.memory.freed();
    this.endOldest();
  }

  /** Its next script would pay for the memory that the last one has left. */
  private isSwollen(child: ScriptChild): boolean {
    return (child.usage()?.rssBytes ?? 0) > this.settings.aroundScriptMb * MIB;
  }

  /** A process that has done its runs waits for a successor, up to a maximum, so that its company does not. */
  private reachedRunLimit({ runs }: ScriptChild): boolean {
    const { runsPerChild, mostRunsPerChild } = this.settings;
    return runs >= mostRunsPerChild || (runs >= runsPerChild && this.unbound().length > 0);
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.sweep);
    for (const { stop, reject } of this.waiting.items.splice(0)) {
      stop();
      reject(overloaded());
    }
    for (const child of this.children) child.kill();
  }

  /** While a company with nothing running waits for memory, others with some running start no more. */
  private advanceWithout(company: number): void {
    const waitsNoMore = !this.waiting.items.some((each) => each.company === company);
    if (waitsNoMore && this.memory.hasNone(company)) this.advance();
  }

  private advance(): void {
    for (;;) {
      const { items } = this.waiting;
      const index = nextToStart(items, this.admission, (at) => !!this.childFor(items[at]));
      const request = items[index];
      const child = this.childFor(request);
      if (!request || !child) break;
      this.waiting.remove(request);
      this.idle.delete(child);
      child.company = request.company;
      this.running.add(request);
      this.memory.take(request);
      request.stop();
      request.resolve(child);
    }
    this.endOldest();
    this.fill();
  }

  /** An idle process of the company, else one without a company; spare ones are for companies with nothing running. */
  private childFor(request: Request | undefined): ScriptChild | undefined {
    if (!request) return undefined;
    const own = [...this.idle].find((child) => child.company === request.company);
    return own ?? this.unbound()[this.running.of(request) === 0 ? 0 : this.settings.spare];
  }

  private get warm(): number {
    return this.isAlwaysWarm || Date.now() - this.lastUsed < WARM_MS ? this.settings.warm : 0;
  }

  private unbound(): ScriptChild[] {
    return [...this.idle].filter((child) => child.company === null);
  }

  /**
   * Keeps enough processes without a company ready: the warm ones, or one for each execution that could start now and
   * the spare. An execution that waits for others of its company would not use one.
   */
  private fill(): void {
    if (this.isClosed) return;
    const startable = startableNow(this.waiting.items, this.admission);
    const wanted = Math.max(this.warm, startable && startable + this.settings.spare);
    for (let count = this.unbound().length + this.starting; count < wanted; count++) this.startOne();
    this.report(this.kind, { idle: this.idle.size, busy: this.running.total, waiting: this.waiting.items.length });
  }

  private startOne(): void {
    this.starting++;
    try {
      this.follow(this.start(this.kind));
    } catch (error) {
      this.notStarted(error);
    }
  }

  private follow(child: ScriptChild): void {
    this.children.add(child);
    void child.exited.then(() => {
      this.children.delete(child);
      this.idle.delete(child);
      this.fill();
    });
    child.ready.then(
      () => {
        this.starting--;
        if (this.isClosed) return child.kill();
        this.idle.add(child);
        this.advance();
      },
      (error: unknown) => this.notStarted(error),
    );
  }

  private notStarted(error: unknown): void {
    this.log.error({ error }, 'a child process could not be started');
    // Counts as starting for a moment longer, so that a program that cannot start is not restarted in a loop.
    setTimeout(() => {
      this.starting--;
      this.fill();
    }, RESTART_MS);
  }

  /** Bounds the idle processes of companies in number and by the memory that scripts leave; ends the oldest ones. */
  private endOldest(): void {
    const most = Math.min(this.settings.executions.total, Math.max(this.memory.leftMb, 0) / this.settings.processMb);
    // A Set iterates in insertion order.
    const bound = [...this.idle].filter((child) => child.company !== null);
    for (const oldest of bound.slice(0, Math.max(bound.length - Math.floor(most), 0))) this.end(oldest);
  }

  private end(child: ScriptChild): void {
    this.idle.delete(child);
    child.kill();
  }

  /** Ends processes that were idle for long: those of companies, and those beyond the warm ones. */
  private endIdle(): void {
    const since = Date.now() - this.settings.idleMs;
    const spare = this.unbound().slice(this.warm);
    for (const child of this.idle)
      if (child.idleSince < since && (child.company !== null || spare.includes(child))) this.end(child);
  }
}

const overloaded = (): ApiError =>
  new ApiError('unavailable', 'no runner is free to execute the script', { retryAfter: 2 });
