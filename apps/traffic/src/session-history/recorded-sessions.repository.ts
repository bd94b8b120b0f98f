import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type ChatSession,
  type Deleted,
  emission,
  type JsonText,
  notFound,
  type Page,
  type SessionEvent,
  trafficEvents,
} from '@signalbox/contracts';
import { Database, likeText, likeTextInJson, type ListOptions } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { clearResultTexts } from '../judging/index.js';
import { PayloadOffload } from '../payload-offload/index.js';
import { lockSession } from '../sessions/index.js';
import { TIMELINE, type TimelineOrder } from './session-timeline.sql.js';
import { SESSION } from './session.sql.js';
import { CLEAR_SESSION, DELETE_SESSION, SET_METADATA, SET_SUMMARY, WANTS_SUMMARY } from './recorded-sessions.sql.js';

export type TimelinePage = Page<SessionEvent>;

/** Chosen: `-id`, the default order of every list, means oldest first, as in the timelines of tasks and runs. */
const timelineOrder = (sort: string): TimelineOrder => (/^-date_/.test(sort) ? 'DESC' : 'ASC');

/** SQL: a timeline is merged from several tables in the database. */
@Injectable()
export class RecordedSessions {
  constructor(
    private readonly db: Database,
    private readonly parts: PayloadOffload,
  ) {}

  list(companyId: number, options: ListOptions): Promise<JsonText<Page<ChatSession>>> {
    return this.db.list<ChatSession>(SESSION, companyId, options);
  }

  async get(companyId: number, sessionId: string): Promise<JsonText<ChatSession>> {
    const session = await this.db.readOne<ChatSession>(SESSION, companyId, sessionId);
    if (!session) throw notFound('session');
    return session;
  }

  async timeline(
    companyId: number,
    sessionId: string,
    { offset, limit, sort = 'id', search }: Pick<ListOptions, 'offset' | 'limit'> & Partial<ListOptions>,
  ) {
    // Tool calls and the parts of a content are compared as JSON.
    const patterns = search ? [[likeText(search), likeTextInJson(search)]] : [];
    const [row] = await this.db.select<{ page: string }>(companyId, TIMELINE(timelineOrder(sort), !!search), [
      sessionId,
      limit,
      offset,
      ...patterns,
    ]);
    return row?.page ?? null;
  }

  update(caller: Caller, sessionId: string, metadata: object | undefined): Promise<JsonText<ChatSession>> {
    return this.db.withCompany(caller, async (tx) => {
      const before = await lockSession(tx, sessionId);
      if (metadata !== undefined) {
        await tx.query(SET_METADATA, [tx.companyId, before.id, JSON.stringify(metadata)]);
        const change = { before: { metadata: before.metadata }, after: { metadata } };
        tx.audit({ action: 'update', resource_type: 'session', resource_id: sessionId, ...change });
      }
      const after = await tx.read<ChatSession>(SESSION, sessionId);
      if (!after) throw notFound('session');
      return after;
    });
  }

  /** The session answers 404 from now on. Its content is deleted for good, its counts are not. */
  remove(caller: Caller, sessionId: string): Promise<Deleted> {
    return this.parts.releasing(caller, async (tx, release) => {
      // Every transaction that writes both locks requests, with their metrics, before sessions.
      const rows = await tx.query<{ request_id: string; aside: boolean }>(CLEAR_SESSION, [
        tx.companyId,
        sessionId,
        Date.now(),
      ]);
      await release(rows.filter(({ aside }) => aside).map(({ request_id }) => request_id));
      await clearResultTexts(
        tx,
        rows.map(({ request_id }) => request_id),
      );
      const { id } = await lockSession(tx, sessionId);
      await tx.query(DELETE_SESSION, [tx.companyId, id, Date.now()]);
      tx.emit(emission(trafficEvents, 'session.deleted', sessionId, { id: sessionId }));
      tx.audit({ action: 'delete', resource_type: 'session', resource_id: sessionId });
      return { id: sessionId, deleted: true };
    });
  }

  /** True when the session exists and its application enables summaries. */
  async wantsSummary(companyId: number, sessionId: string): Promise<boolean> {
    const rows = await this.db.select(companyId, WANTS_SUMMARY, [sessionId]);
    return rows.length > 0;
  }

  summarise(job: Job, summary: string): Promise<void> {
    return this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      const { id } = await lockSession(tx, job.ref);
      await tx.query(SET_SUMMARY, [tx.companyId, id, summary]);
    });
  }
}
