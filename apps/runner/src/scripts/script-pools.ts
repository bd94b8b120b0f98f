import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '@signalbox/platform';
import {
  ChildFactory,
  type ChildKind,
  ChildPool,
  MemoryBudget,
  type Needs,
  type PoolCounts,
  PoolSizes,
  type RunEnd,
  type ScriptChild,
} from '../pool/index.js';
import { scriptChildren, scriptWait } from './script-metrics.js';

@Injectable()
export class ScriptPools implements OnApplicationShutdown {
  private readonly pools: Record<ChildKind, ChildPool>;

  constructor(factory: ChildFactory, sizes: PoolSizes, @Inject(LOGGER) log: Logger) {
    const memory = new MemoryBudget(sizes.memoryMb);
    const start = (kind: ChildKind): ScriptChild => factory.start(kind);
    this.pools = {
      javascript: new ChildPool('javascript', sizes.javascript, memory, start, log, report, true),
      // A Python interpreter takes seconds and 200 MB, so none is started before the first script needs it.
      python: new ChildPool('python', sizes.python, memory, start, log, report, false),
    };
  }

  /** `deadline` is in epoch milliseconds. */
  async acquire(kind: ChildKind, execution: Needs, deadline: number, signal: AbortSignal): Promise<ScriptChild> {
    const waited = scriptWait.startTimer({ kind });
    const child = await this.pools[kind].acquire(execution, deadline, signal);
    waited();
    return child;
  }

  release(child: ScriptChild, execution: Needs, end: RunEnd): void {
    this.pools[child.kind].release(child, execution, end);
  }

  onApplicationShutdown(): void {
    for (const pool of Object.values(this.pools)) pool.close();
  }
}

function report(kind: ChildKind, counts: PoolCounts): void {
  for (const [state, count] of Object.entries(counts)) scriptChildren.set({ kind, state }, count);
}
