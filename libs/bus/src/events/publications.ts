import { JetStreamApiError, type JetStreamClient } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { traceHeaders } from '../calls/wire.js';
import type { OutboxMessage, Publication } from '@signalbox/platform';

const TIMEOUT_MS = 5000;
/** JetStream error code. */
const MESSAGE_TOO_LARGE = 10_054;

/**
 * Permission to publish may be missing for so long: services of a new release may run before the bus has their new
 * rights.
 */
const PERMITTED_WITHIN_MS = 86_400_000;

const FINAL = [errors.InvalidSubjectError, errors.InvalidArgumentError, errors.PermissionViolationError];

/** Null when the bus may accept it later; the client wraps causes. */
function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const isFinal =
    FINAL.some((kind) => error instanceof kind) ||
    (error instanceof JetStreamApiError && error.code === MESSAGE_TOO_LARGE);
  return isFinal ? error.message : refusalOf(error.cause);
}

const isForbidden = (error: unknown): boolean =>
  error instanceof Error && (error instanceof errors.PermissionViolationError || isForbidden(error.cause));

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** Waits until the stream has stored the message; never throws. */
export async function publication(
  js: JetStreamClient,
  { id, subject, payload, bytes, ageMs, traceparent }: OutboxMessage,
): Promise<Publication> {
  if (payload === null) return { state: 'refused', cause: `the message has ${bytes} bytes, more than the bus carries` };
  try {
    const options = { msgID: id, timeout: TIMEOUT_MS };
    const headers = traceHeaders(traceparent ?? null);
    await js.publish(subject, payload, headers ? { ...options, headers } : options);
    return { state: 'sent' };
  } catch (error) {
    if (isForbidden(error) && ageMs < PERMITTED_WITHIN_MS) return { state: 'forbidden' };
    const cause = refusalOf(error);
    return cause === null ? { state: 'failed', error: asError(error) } : { state: 'refused', cause };
  }
}
