import { setTimeout as pause } from 'node:timers/promises';
import type { Platform } from '@signalbox/testing';

const PAUSE_MS = 20;
const SEEN = `SELECT
  (SELECT max(extract(epoch FROM clock_timestamp() - query_start)) * 1000 FROM pg_stat_activity
   WHERE state = 'active' AND usename LIKE 'svc\\_%' AND query ~* 'delete from|drop_request_partition')::float8 AS slice,
  (SELECT max(extract(epoch FROM clock_timestamp() - waitstart)) * 1000 FROM pg_locks WHERE NOT granted)::float8 AS wait`;

/** The longest of what was seen while retention deleted, in milliseconds. */
export interface Deletions {
  /** A statement that deletes a slice, or drops a day. */
  slice: number;
  /** What any statement waited for a lock. */
  wait: number;
}

/** Looks at the sessions and locks of Postgres until `stop` is aborted; what is shorter than the pause may be missed. */
export async function watchDeletions(platform: Platform, stop: AbortSignal): Promise<Deletions> {
  const longest: Deletions = { slice: 0, wait: 0 };
  while (!stop.aborted) {
    const [seen] = (await platform.sql.query<{ slice: number | null; wait: number | null }>(SEEN)).rows;
    longest.slice = Math.max(longest.slice, seen?.slice ?? 0);
    longest.wait = Math.max(longest.wait, seen?.wait ?? 0);
    await pause(PAUSE_MS);
  }
  return longest;
}
