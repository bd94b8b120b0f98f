import { workerStatement } from '@signalbox/database';

/** Skips the days $1. */
export const INDEX_CLOSED_DAY = workerStatement(
  { index: null },
  'SELECT day, failure FROM traffic.index_closed_day($1::text[])',
);
