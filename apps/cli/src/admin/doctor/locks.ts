import type pg from 'pg';
import { type Finding, ok, warning } from './finding.js';

/** Statements over all partitions of a table that may run at once. */
const AT_ONCE = 8;

/** Tables and indexes that one statement can lock, and the locks of all sessions together. */
export interface LockTable {
  lockable: number;
  locks: number;
}

export async function lockTableOf(client: pg.Client): Promise<LockTable> {
  const { rows } = await client.query<LockTable>(
    `SELECT current_setting('max_locks_per_transaction')::int
       * (current_setting('max_connections')::int + current_setting('max_prepared_transactions')::int) AS locks,
     (SELECT COALESCE(sum(1 + (SELECT count(*) FROM pg_index x WHERE x.indrelid = i.inhrelid)), 0)::int
      FROM pg_inherits i WHERE i.inhparent = to_regclass('traffic.requests')) AS lockable`,
  );
  return rows[0] ?? { lockable: 0, locks: 0 };
}

export function lockFinding({ lockable, locks }: LockTable): Finding {
  const found = `${locks} for all sessions; a statement over all days of requests takes ${lockable}`;
  const advice = 'raise max_locks_per_transaction of Postgres, or keep requests for fewer days (retention_days)';
  return lockable * AT_ONCE > locks ? warning('locks', found, advice) : ok('locks', found);
}
