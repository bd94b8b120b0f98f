import { setTimeout } from 'node:timers/promises';
import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ExponentialBackoff,
  handleWhen,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import { LRUCache } from 'lru-cache';
import { ConsecutiveFailures } from './consecutive-failures.js';
import { ProviderError } from './provider.js';
import { RetryBudget } from './retry.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
const MAX_CIRCUITS = 10_000;

export interface Circuit {
  budget: RetryBudget;
  /** Rejects while the circuit of the model or of its host is open. */
  run<Result>(attempt: () => Promise<Result>): Promise<Result>;
}

export interface CircuitScope {
  companyId: number;
  provider: string;
  host: string;
}

/** Shared by all provider instances of a process, by company. */
export class Circuits {
  readonly #circuits = new LRUCache<string, Circuit>({ max: MAX_CIRCUITS });

  /** Failed connections count for every call of the company to the same host. */
  of({ companyId, provider, host }: CircuitScope, model: string): Circuit {
    // Neither a provider nor a host contains a line break.
    const own = this.#known(`${companyId}\n${provider}\n${model}`, isOutage);
    const shared = this.#known(`${companyId}\n${host}`, isUnreachable);
    return { budget: own.budget, run: (attempt) => own.run(() => shared.run(attempt)) };
  }

  #known(key: string, counts: (error: Error) => boolean): Circuit {
    const known = this.#circuits.get(key);
    if (known) return known;
    const circuit = newCircuit(counts);
    this.#circuits.set(key, circuit);
    return circuit;
  }
}

function newCircuit(counts: (error: Error) => boolean): Circuit {
  const breaker = circuitBreaker(handleWhen(counts), {
    breaker: new ConsecutiveFailures(),
    halfOpenAfter: new ExponentialBackoff({ initialDelay: FIRST_PAUSE_MS, maxDelay: LONGEST_PAUSE_MS }),
  });
  return {
    budget: new RetryBudget(),
    run: (attempt) => (breaker.state === CircuitState.Closed ? breaker.execute(attempt) : through(breaker, attempt)),
  };
}

async function through<Result>(breaker: CircuitBreakerPolicy, attempt: () => Promise<Result>): Promise<Result> {
  // No call waits for the probe, which may take as long as its own deadline.
  if (breaker.state === CircuitState.HalfOpen) throw circuitOpen();
  try {
    return breaker.state === CircuitState.Open ? await probed(breaker, attempt) : await breaker.execute(attempt);
  } catch (error) {
    if (!(error instanceof BrokenCircuitError)) throw error;
    throw circuitOpen();
  }
}

/** The first attempt after a pause; when its result is late, further attempts are permitted. */
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

/** A model that refuses (4xx) is healthy. */
function isOutage(error: Error): boolean {
  if (!(error instanceof ProviderError)) return false;
  return (error.status ?? 0) >= 500 || error.code === 'network' || error.code === 'timeout';
}

/** The host's other models would fail the same way. */
function isUnreachable(error: Error): boolean {
  return error instanceof ProviderError && error.code === 'network' && error.status === undefined;
}
