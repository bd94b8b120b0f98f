import { Injectable } from '@nestjs/common';
import { emission, trafficEvents } from '@signalbox/contracts';
import { arrayParameter, type ArrayType, Database, type Tx } from '@signalbox/database';
import type { SessionCount } from './session-counts.js';
import { lockSession } from './session-row.js';
import { IDLE_MS } from './session-summary.js';
import { trafficJobs } from '../jobs.js';

const OPEN = `INSERT INTO traffic.sessions AS t (company_id, session_id, application_id, first_request_at, last_request_at)
  VALUES ($1, $2, $3, $4, $4)
  ON CONFLICT (company_id, session_id) WHERE deleted_at IS NULL DO NOTHING RETURNING t.application_id`;

const COUNT = `INSERT INTO traffic.sessions AS t
    (company_id, date_created, date_updated,
      session_id, application_id, request_count, total_tokens, cost, first_request_at, last_request_at)
  SELECT $1::int, d.now, d.now, u.*
  FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now OFFSET 0) d, unnest($2::text[], $3::int[], $4::bigint[], $5::bigint[], $6::float8[], $7::bigint[], $8::bigint[]) u
  ON CONFLICT (company_id, session_id) WHERE deleted_at IS NULL DO UPDATE SET
    request_count = t.request_count + EXCLUDED.request_count,
    total_tokens = t.total_tokens + EXCLUDED.total_tokens,
    cost = COALESCE(t.cost + EXCLUDED.cost, t.cost, EXCLUDED.cost),
    first_request_at = LEAST(t.first_request_at, EXCLUDED.first_request_at),
    last_request_at = GREATEST(t.last_request_at, EXCLUDED.last_request_at)
  RETURNING t.session_id, (t.xmax = 0) AS fresh, t.application_id = ANY (ARRAY(
    SELECT a.id FROM traffic.applications a WHERE a.company_id = $1 AND a.session_summaries)) AS summarised`;

/** The values of that statement, in its order. */
const COUNTED: readonly [keyof SessionCount, ArrayType][] = [
  ['session_id', 'text'],
  ['application_id', 'int'],
  ['requests', 'bigint'],
  ['tokens', 'bigint'],
  ['cost', 'double precision'],
  ['first_at', 'bigint'],
  ['last_at', 'bigint'],
];

/**
 * Creates sessions and counts their requests.
 *
 * SQL: concurrent first requests of a session insert with ON CONFLICT.
 */
@Injectable()
export class Sessions {
  constructor(private readonly db: Database) {}

  /** Creates the session unless it exists; returns its application. */
  async open(companyId: number, sessionId: string, applicationId: number | null): Promise<number | null> {
    const [known] = await this.db.select<{ application_id: number | null }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.application_id FROM traffic.sessions t
         WHERE t.company_id = s.company AND t.session_id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
      [sessionId],
    );
    if (known) return known.application_id;
    return this.db.withCompany({ companyId }, async (tx) => {
      const now = Date.now();
      const made = await tx.query(OPEN, [companyId, sessionId, applicationId, now]);
      if (made.length > 0) {
        tx.emit(opened(sessionId, applicationId, now));
        return applicationId;
      }
      return (await lockSession(tx, sessionId)).application_id;
    });
  }

  /** Counts newly recorded requests; missing sessions are created. */
  async count(tx: Tx, counts: readonly SessionCount[]): Promise<void> {
    if (counts.length === 0) return;
    const rows = await tx.query<{ session_id: string; fresh: boolean; summarised: boolean | null }>(COUNT, [
      tx.companyId,
      ...COUNTED.map(([name, type]) =>
        arrayParameter(
          type,
          counts.map((count) => count[name]),
        ),
      ),
    ]);
    // Each request postpones the summary.
    for (const row of rows)
      if (row.summarised) tx.addJob(trafficJobs.summariseSession, { sessionId: row.session_id }, IDLE_MS);
    const fresh = new Set(rows.filter((row) => row.fresh).map(({ session_id }) => session_id));
    const begun = counts.filter(({ session_id }) => fresh.has(session_id));
    tx.emitTogether(
      begun.map(({ session_id, application_id, first_at }) => opened(session_id, application_id, first_at)),
    );
  }
}

const opened = (session_id: string, application_id: number | null, first_request_at: number) =>
  emission(trafficEvents, 'session.created', session_id, { session_id, application_id, first_request_at });
