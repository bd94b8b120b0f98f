import { setTimeout } from 'node:timers/promises';
import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhen,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import { ProviderError } from './provider.js';
import { RetryBudget } from './retry.js';

const FAILURES_TO_OPEN = 10;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
const MAX_CIRCUITS = 10_000;

/** What is known about the health of one host for one company: its breaker and its retry budget. */
export interface Circuit {
  budget: RetryBudget;
  /** Runs a try unless the host is known to be down. */
  run<Result>(attempt: () => Promise<Result>): Promise<Result>;
}

/** The circuits of a process; providers made anew for the same company and host share one. */
export class Circuits {
  readonly #circuits = new Map<string, Circuit>();

  of(companyId: number, host: string): Circuit {
    const key = `${companyId} ${host}`;
    const circuit = this.#circuits.get(key) ?? newCircuit();
    this.#circuits.delete(key);
    this.#circuits.set(key, circuit);
    if (this.#circuits.size > MAX_CIRCUITS) this.#circuits.delete(this.#circuits.keys().next().value!);
    return circuit;
  }
}

function newCircuit(): Circuit {
  const breaker = circuitBreaker(handleWhen(isOutage), {
    breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
    halfOpenAfter: new ExponentialBackoff({ initialDelay: FIRST_PAUSE_MS, maxDelay: LONGEST_PAUSE_MS }),
  });
  return { budget: new RetryBudget(), run: (attempt) => through(breaker, attempt) };
}

async function through<Result>(breaker: CircuitBreakerPolicy, attempt: () => Promise<Result>): Promise<Result> {
  // Behind a probe nobody waits: it may take as long as its own deadline allows.
  if (breaker.state === CircuitState.HalfOpen) throw circuitOpen();
  try {
    return breaker.state === CircuitState.Open ? await probed(breaker, attempt) : await breaker.execute(attempt);
  } catch (error) {
    if (!(error instanceof BrokenCircuitError)) throw error;
    throw circuitOpen();
  }
}

/** The first try after a pause; without a verdict in time others are let through beside it. */
async function probed<Result>(breaker: CircuitBreakerPolicy, attempt: () => Promise<Result>): Promise<Result> {
  let running: Promise<Result> | undefined;
  await breaker.execute(() => {
    running = attempt();
    return Promise.race([running, setTimeout(LONGEST_PAUSE_MS, undefined, { ref: false })]);
  });
  return running!;
}

function circuitOpen(): ProviderError {
  return new ProviderError({
    failureClass: 'provider',
    code: 'circuit_open',
    message: 'the provider failed repeatedly and is not called for a few seconds',
    retryAfterSeconds: LONGEST_PAUSE_MS / 1_000,
  });
}

/** A host that refuses (4xx) is well; only silence, broken connections and 5xx say that it is down. */
function isOutage(error: Error): boolean {
  if (!(error instanceof ProviderError)) return false;
  return (error.status ?? 0) >= 500 || error.code === 'network' || error.code === 'timeout';
}
