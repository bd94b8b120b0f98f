import { randomUUID } from 'node:crypto';
import type { Caller } from '@signalbox/contracts';
import { derivedUuid } from '@signalbox/platform';

/** As long as an idempotency key is kept. */
export const KEY_KEPT_MS = 86_400_000;

/** Every try of a call with an idempotency key gets the same, so that it finds what an earlier one has paid for. */
export function rerunIdOf({ companyId, idempotency }: Caller): string {
  if (!idempotency) return randomUUID();
  const { route, key, bodyHash } = idempotency;
  return derivedUuid(JSON.stringify([companyId, route, key, bodyHash]));
}
