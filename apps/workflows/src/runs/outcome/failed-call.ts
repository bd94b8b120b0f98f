import { ApiError } from '@signalbox/contracts';
import { type CallFailure, callFailureOf } from '@signalbox/runs/rules';
import { ScriptHostError } from '@signalbox/scripts';
import { LRUCache } from 'lru-cache';

/** Its class and code become those of the run when the script does not catch the exception. */
export class FailedCall extends ScriptHostError {
  constructor(
    name: string,
    message: string,
    readonly failure: CallFailure,
    status?: number,
  ) {
    super(name, message, status);
  }
}

export function hostError(error: unknown, name: string): unknown {
  if (!(error instanceof ApiError)) return error;
  const byKind = error.kind === 'invalid' ? 'TypeError' : error.kind === 'not_found' ? 'NotFoundError' : name;
  const failure = callFailureOf(error);
  return failure
    ? new FailedCall(byKind, error.message, failure, error.status)
    : new ScriptHostError(byKind, error.message, error.status);
}

const MAX_FAILURES = 256;
/** Sandboxes never cut so short a prefix of a message. */
const KEY_LENGTH = 512;

const keyOf = (text: string): string => text.slice(0, KEY_LENGTH);

export class FailedCalls {
  private readonly failures = new LRUCache<string, CallFailure>({ max: MAX_FAILURES });

  add({ name, message, failure }: FailedCall): void {
    this.failures.set(keyOf(`${name}: ${message}`), failure);
  }

  /** Null when the exception does not come from a failed call. */
  find(exception: string): CallFailure | null {
    return this.failures.get(keyOf(exception.replace(/^Uncaught /, ''))) ?? null;
  }
}
