import { randomUUID } from 'node:crypto';
import type { Caller } from '@signalbox/contracts';

/** The caller for work that a service starts without a client within a company; `deadline` in epoch milliseconds. */
export const serviceCaller = (companyId: number, deadline: number): Caller => ({
  companyId,
  keyId: null,
  scopes: [],
  requestId: randomUUID(),
  deadline,
});
