import { MAX_CHAIN_DEPTH } from '@signalbox/contracts';

/** Above this a service sheds load instead of queueing it in memory. */
const MAX_IN_FLIGHT = 2000;

/** Each depth of a chain has its own limit, so that calls that wait for nested ones never have those refused. */
export class CallsInFlight {
  private readonly byDepth = new Array<number>(MAX_CHAIN_DEPTH + 1).fill(0);
  private count = 0;

  constructor(private readonly limit = MAX_IN_FLIGHT) {}

  get all(): number {
    return this.count;
  }

  begin(depth: number): boolean {
    return this.change(depth, 1) <= this.limit;
  }

  end(depth: number): void {
    this.change(depth, -1);
  }

  private change(depth: number, by: 1 | -1): number {
    const at = Math.min(depth, MAX_CHAIN_DEPTH);
    const calls = (this.byDepth[at] ?? 0) + by;
    this.byDepth[at] = calls;
    this.count += by;
    return calls;
  }
}
