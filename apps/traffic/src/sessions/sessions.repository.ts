import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type ChatSession,
  type Deleted,
  emission,
  type JsonText,
  notFound,
  type Page,
  type SessionFeedback,
  type SessionHappening,
  trafficEvents,
} from '@signalbox/contracts';
import { arrayParameter, type ArrayType, Database, type ListOptions, type Tx, type View } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { LargeParts } from '../large-parts/large-parts.js';
import { IDLE_MS } from './session-summary.js';
import { TIMELINE } from './session-timeline.view.js';
import type { SessionCount } from './session-counts.js';

const view: View = {
  resource: 'session',
  table: 'traffic.sessions',
  key: 'session_id',
  keyType: 'text',
  serial: 't.id',
  columns: [
    'session_id',
    'application_id',
    'request_count',
    'fault_count',
    'total_tokens',
    'cost',
    'metadata',
    'summary',
    'feedback_score',
    'feedback_text',
    'first_request_at',
    'last_request_at',
    'date_created',
    'date_updated',
  ],
  computed: {
    application_name: `(SELECT a.application_name FROM traffic.applications a
      WHERE a.company_id = t.company_id AND a.id = t.application_id)`,
    intents: `(SELECT COALESCE(json_agg(json_build_object('intent_id', r.intent_id, 'action_type', i.action_type)), '[]')
      FROM (SELECT DISTINCT r.intent_id FROM traffic.requests r WHERE r.company_id = t.company_id
        AND r.session_id = t.session_id AND r.intent_id IS NOT NULL ORDER BY 1) r
      LEFT JOIN traffic.intents i ON i.company_id = t.company_id AND i.id = r.intent_id)`,
  },
  search: ['t.session_id'],
  sort: {
    session_id: 't.session_id',
    first_request_at: 't.first_request_at',
    last_request_at: 't.last_request_at',
    request_count: 't.request_count',
    total_tokens: 't.total_tokens',
    cost: 't.cost',
  },
};

/** Kind of the work that sums a session up. */
export const SUMMARY_WORK = 'session_summary';

/** The requests of a session of this table, for filters. */
export const IN_SESSION = 'r.company_id = t.company_id AND r.session_id = t.session_id AND r.deleted_at IS NULL';

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

/** What a lock on a session shows. */
export interface LockedSession {
  id: number;
  session_id: string;
  metadata: Record<string, unknown>;
  feedback_score: number | null;
  feedback_text: string | null;
  feedback_key_id: number | null;
  feedback_at: number | null;
}

/** Rows of sessions. */
@Injectable()
export class Sessions {
  constructor(
    private readonly db: Database,
    private readonly parts: LargeParts,
  ) {}

  list(companyId: number, options: ListOptions): Promise<JsonText<Page<ChatSession>>> {
    return this.db.list<ChatSession>(view, companyId, options);
  }

  async get(companyId: number, sessionId: string): Promise<JsonText<ChatSession>> {
    const session = await this.db.readOne<ChatSession>(view, companyId, sessionId);
    if (!session) throw notFound('session');
    return session;
  }

  /** Makes the session unless it is there; answers its application. */
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
      return (await this.lock(tx, sessionId, 't.application_id')).application_id;
    });
  }

  /** Counts requests that were just recorded; sessions that are not there yet begin with them. */
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
    // Each request puts the summary off again.
    for (const row of rows) if (row.summarised) tx.addWork(SUMMARY_WORK, row.session_id, IDLE_MS);
    const fresh = new Set(rows.filter((row) => row.fresh).map(({ session_id }) => session_id));
    const begun = counts.filter(({ session_id }) => fresh.has(session_id));
    tx.emitTogether(
      begun.map(({ session_id, application_id, first_at }) => opened(session_id, application_id, first_at)),
    );
  }

  /** Whether a session is to be summed up: it is there, and its application still wants it. */
  async wantsSummary(companyId: number, sessionId: string): Promise<boolean> {
    const rows = await this.db.select(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT 1 FROM traffic.sessions t
         JOIN traffic.applications a ON a.company_id = t.company_id AND a.id = t.application_id
         WHERE t.company_id = s.company AND t.session_id = $2 AND t.deleted_at IS NULL
           AND a.session_summaries AND a.deleted_at IS NULL OFFSET 0) x`,
      [sessionId],
    );
    return rows.length > 0;
  }

  /** Writes what a worker made of a session. */
  summarise(job: Job, summary: string): Promise<void> {
    return this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      const { id } = await this.locked(tx, job.ref);
      await this.set(tx, id, 'summary = $3', [summary]);
    });
  }

  async timeline(companyId: number, sessionId: string, options: Pick<ListOptions, 'offset' | 'limit'>) {
    const [row] = await this.db.select<{ page: string }>(companyId, TIMELINE, [
      sessionId,
      options.limit,
      options.offset,
    ]);
    return row?.page ?? null;
  }

  update(caller: Caller, sessionId: string, metadata: object | undefined): Promise<JsonText<ChatSession>> {
    return this.db.withCompany(caller, async (tx) => {
      const before = await this.locked(tx, sessionId);
      if (metadata !== undefined) {
        await this.set(tx, before.id, 'metadata = $3', [JSON.stringify(metadata)]);
        const change = { before: { metadata: before.metadata }, after: { metadata } };
        tx.audit({ action: 'update', resource_type: 'session', resource_id: sessionId, ...change });
      }
      const after = await tx.read<ChatSession>(view, sessionId);
      if (!after) throw notFound('session');
      return after;
    });
  }

  /** The session answers 404 from now on; what was said in it is gone for good, its counts are not. */
  remove(caller: Caller, sessionId: string): Promise<Deleted> {
    return this.parts.releasing(caller, async (tx, release) => {
      // Everybody who writes both locks requests, with their figures, before sessions.
      const rows = await tx.query<{ request_id: string }>(
        `WITH gone AS (UPDATE traffic.requests SET params = '{}', response = NULL, corrected_response = NULL,
             objects = NULL, date_updated = $3
           WHERE company_id = $1 AND session_id = $2 RETURNING request_id, old.objects AS objects)
         SELECT request_id FROM gone WHERE objects IS NOT NULL`,
        [tx.companyId, sessionId, Date.now()],
      );
      await release(rows.map(({ request_id }) => request_id));
      const { id } = await this.locked(tx, sessionId);
      await this.set(tx, id, `deleted_at = $3, metadata = '{}', summary = NULL, feedback_text = NULL`, [Date.now()]);
      tx.emit(emission(trafficEvents, 'session.deleted', sessionId, { id: sessionId }));
      tx.audit({ action: 'delete', resource_type: 'session', resource_id: sessionId });
      return { id: sessionId, deleted: true };
    });
  }

  async feedback(companyId: number, sessionId: string): Promise<SessionFeedback | null> {
    const [row] = await this.db.select<LockedSession>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.* FROM traffic.sessions t
         WHERE t.company_id = s.company AND t.session_id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
      [sessionId],
    );
    if (!row) throw notFound('session');
    return row.feedback_at === null ? null : feedbackOf(row, row.feedback_at);
  }

  /** Replaces the feedback; null takes it away. Answers what there was before. */
  setFeedback(
    caller: Caller,
    sessionId: string,
    given: { score: number | null; text: string | null } | null,
  ): Promise<SessionFeedback | null> {
    return this.db.withCompany(caller, async (tx) => {
      const row = await this.locked(tx, sessionId);
      const before = row.feedback_at === null ? null : feedbackOf(row, row.feedback_at);
      if (!given && !before) throw notFound('feedback');
      const at = given ? Date.now() : null;
      const columns = 'feedback_score = $3, feedback_text = $4, feedback_key_id = $5, feedback_at = $6';
      const key = given ? caller.keyId : null;
      await this.set(tx, row.id, columns, [given?.score ?? null, given?.text ?? null, key, at]);
      const after =
        given && at
          ? {
              session_id: sessionId,
              feedback_score: given.score,
              feedback_text: given.text,
              key_id: key,
              date_updated: at,
            }
          : null;
      if (after) tx.emit(emission(trafficEvents, 'session.feedback_set', sessionId, after));
      tx.audit({ action: 'update', resource_type: 'session', resource_id: sessionId, before, after });
      return after;
    });
  }

  private locked(tx: Tx, sessionId: string): Promise<LockedSession> {
    return this.lock(tx, sessionId, 't.*');
  }

  private async lock<Columns extends string>(
    tx: Tx,
    sessionId: string,
    columns: Columns,
  ): Promise<LockedSession & { application_id: number | null }> {
    const [row] = await tx.query<LockedSession & { application_id: number | null }>(
      `SELECT ${columns} FROM traffic.sessions t
       WHERE t.company_id = $1 AND t.session_id = $2 AND t.deleted_at IS NULL FOR NO KEY UPDATE`,
      [tx.companyId, sessionId],
    );
    if (!row) throw notFound('session');
    return row;
  }

  private async set(tx: Tx, id: number, columns: string, values: unknown[]): Promise<void> {
    await tx.query(
      `UPDATE traffic.sessions SET ${columns}, date_updated = (extract(epoch from clock_timestamp()) * 1000)::bigint
       WHERE company_id = $1 AND id = $2`,
      [tx.companyId, id, ...values],
    );
  }
}

const opened = (session_id: string, application_id: number | null, first_request_at: number) =>
  emission(trafficEvents, 'session.created', session_id, { session_id, application_id, first_request_at });

function feedbackOf(row: LockedSession, at: number): SessionFeedback {
  const { session_id, feedback_score, feedback_text, feedback_key_id } = row;
  return { session_id, feedback_score, feedback_text, key_id: feedback_key_id, date_updated: Number(at) };
}

/** One page of a timeline as its reader gets it. */
export type TimelinePage = Page<SessionHappening>;
