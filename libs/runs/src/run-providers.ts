import type { Provider } from '@nestjs/common';
import { RunNotifications } from './events/run-notifications.js';
import { StreamSubscribers } from './events/stream-subscribers.js';
import { RunWaits } from './reads/run-waits.js';
import { SecretExchange } from './secrets/secret-exchange.js';
import { SecretHolder } from './secrets/secret-holder.js';
import { SecretHolderLeases } from './secrets/secret-holder-leases.repository.js';
import { SecretTransfer } from './secrets/secret-transfer.js';
import { RunWorker } from './work/run-worker.js';
import { RunWorkLoops } from './work/run-work-loops.js';
import { SuspendedRuns } from './work/suspended-runs.js';

/**
 * What a service with runs provides. It adds `RUNS` with its kinds of runs, `RUN_JOBS` with their work, and
 * `CompanyShare`.
 */
export const RUN_PROVIDERS: Provider[] = [
  RunNotifications,
  RunWaits,
  RunWorker,
  RunWorkLoops,
  SecretExchange,
  SecretHolder,
  SecretHolderLeases,
  SecretTransfer,
  StreamSubscribers,
  SuspendedRuns,
];
