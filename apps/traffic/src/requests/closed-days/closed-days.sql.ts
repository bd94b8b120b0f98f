import { workerStatement } from '@signalbox/database';

/** The days $1 are left out. */
export const INDEX_CLOSED_DAY = workerStatement(
  { index: null },
  'SELECT day, failure FROM traffic.index_closed_day($1::text[])',
);
