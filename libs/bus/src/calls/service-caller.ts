import { randomUUID } from 'node:crypto';
import type { Caller } from '@signalbox/contracts';

/** For work without a client; `deadline` in epoch milliseconds. */
export const serviceCaller = (companyId: number, deadline: number): Caller => ({
  companyId,
  keyId: null,
  scopes: [],
  requestId: randomUUID(),
  deadline,
});
