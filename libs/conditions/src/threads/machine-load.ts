import { cpus } from 'node:os';

interface Times {
  busy: number;
  total: number;
}

function timesOfProcessors(): Times {
  const sum: Times = { busy: 0, total: 0 };
  for (const { times } of cpus()) {
    const busy = times.user + times.nice + times.sys + times.irq;
    sum.busy += busy;
    sum.total += busy + times.idle;
  }
  return sum;
}

export class MachineLoad {
  private last = timesOfProcessors();

  /** Utilisation since the last call, from 0 to 1, without `ownMs` of one processor. */
  shareWithout(ownMs: number): number {
    const before = this.last;
    this.last = timesOfProcessors();
    const passed = this.last.total - before.total;
    return passed > 0 ? Math.max(0, this.last.busy - before.busy - ownMs) / passed : 0;
  }
}
