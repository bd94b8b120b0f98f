import { CircuitState, type IBreaker } from 'cockatiel';

const FAILURES_TO_OPEN = 10;
const WITHIN_MS = 10_000;

/** Opens after consecutive failures within a period; a success resets the count. */
export class ConsecutiveFailures implements IBreaker {
  state: number[] = [];

  constructor(private readonly clock: () => number = Date.now) {}

  success(): void {
    this.state = [];
  }

  failure(circuit: CircuitState): boolean {
    const now = this.clock();
    this.state = [...this.state, now].slice(-FAILURES_TO_OPEN);
    if (circuit !== CircuitState.Closed) return true;
    return this.state.length === FAILURES_TO_OPEN && now - this.state[0]! <= WITHIN_MS;
  }
}
