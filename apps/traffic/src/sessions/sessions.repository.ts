import { Injectable } from '@nestjs/common';
import { emission, trafficEvents } from '@signalbox/contracts';
import { arrayParameter, type ArrayType, Database, type Tx } from '@signalbox/database';
import type { SessionCount } from './session-counts.js';
import { lockSession } from './session-row.js';
import { IDLE_MS } from './session-summary.js';
import { trafficJobs } from '../jobs.js';
import { APPLICATION_OF_SESSION, COUNT_REQUESTS, OPEN_SESSION } from './sessions.sql.js';

/** In the order of the parameters of the statement. */
const COUNTED: readonly [keyof SessionCount, ArrayType][] = [
  ['session_id', 'text'],
  ['application_id', 'int'],
  ['requests', 'bigint'],
  ['tokens', 'bigint'],
  ['cost', 'double precision'],
  ['first_at', 'bigint'],
  ['last_at', 'bigint'],
];

/** SQL: concurrent first requests of a session insert with ON CONFLICT. */
@Injectable()
export class Sessions {
  constructor(private readonly db: Database) {}

  /** Creates the session unless it exists; returns its application. */
  async open(companyId: number, sessionId: string, applicationId: number | null): Promise<number | null> {
    const [known] = await this.db.select<{ application_id: number | null }>(companyId, APPLICATION_OF_SESSION, [
      sessionId,
    ]);
    if (known) return known.application_id;
    return this.db.withCompany({ companyId }, async (tx) => {
      const now = Date.now();
      const made = await tx.query(OPEN_SESSION, [companyId, sessionId, applicationId, now]);
      if (made.length > 0) {
        tx.emit(opened(sessionId, applicationId, now));
        return applicationId;
      }
      return (await lockSession(tx, sessionId)).application_id;
    });
  }

  async count(tx: Tx, counts: readonly SessionCount[]): Promise<void> {
    if (counts.length === 0) return;
    const rows = await tx.query<{ session_id: string; fresh: boolean; summarised: boolean | null }>(COUNT_REQUESTS, [
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
