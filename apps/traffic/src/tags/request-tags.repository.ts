import { Injectable } from '@nestjs/common';
import { type Caller, notFound, type RequestTag } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { SHARE_ROW } from '../share-row.sql.js';
import {
  ASSIGN_TAGS,
  DELETE_TAG,
  INSERT_TAG,
  LOCK_REQUEST,
  SHARE_TAGS,
  TAGS_IN_TRANSACTION,
  TAGS_OF,
} from './request-tags.sql.js';

/** `date_created` is that of the request. */
export interface Assignment {
  tag_id: number;
  request_id: string;
  date_created: number;
}

/** SQL: an assignment refers to a partitioned table, and is inserted once by ON CONFLICT. */
@Injectable()
export class RequestTags {
  constructor(private readonly db: Database) {}

  async list(companyId: number, requestId: string): Promise<RequestTag[]> {
    const [row] = await this.db.select<{ tags: RequestTag[] }>(companyId, TAGS_OF, [requestId]);
    if (!row) throw notFound('request');
    return row.tags;
  }

  /** No change when the request has the tag; 404 when the request or the tag does not exist. */
  async add(caller: Caller, requestId: string, tagId: number): Promise<RequestTag[]> {
    return this.db.withCompany(caller, async (tx) => {
      const date = await this.lock(tx, requestId);
      const tag = await tx.query(SHARE_ROW('tags'), [tx.companyId, tagId]);
      if (tag.length === 0) throw notFound('tag');
      const before = await this.of(tx, requestId);
      await tx.query(INSERT_TAG, [tx.companyId, tagId, requestId, date]);
      return this.changed(tx, requestId, before);
    });
  }

  async remove(caller: Caller, requestId: string, tagId: number): Promise<void> {
    await this.db.withCompany(caller, async (tx) => {
      await this.lock(tx, requestId);
      const before = await this.of(tx, requestId);
      if (!before.some(({ id }) => id === tagId)) throw notFound('tag');
      await tx.query(DELETE_TAG, [tx.companyId, requestId, tagId]);
      await this.changed(tx, requestId, before);
    });
  }

  /** Returns the number of requests that got a new tag. Tags and requests deleted meanwhile are skipped. */
  async assign(tx: Tx, assignments: readonly Assignment[]): Promise<number> {
    if (assignments.length === 0) return 0;
    const column = <Name extends keyof Assignment>(name: Name) => assignments.map((each) => each[name]);
    const tags = await tx.query<{ id: number }>(SHARE_TAGS, [tx.companyId, column('tag_id')]);
    const [row] = await tx.query<{ requests: number }>(ASSIGN_TAGS, [
      tx.companyId,
      column('tag_id'),
      column('request_id'),
      column('date_created'),
      tags.map(({ id }) => id),
    ]);
    return row?.requests ?? 0;
  }

  private of(tx: Tx, requestId: string): Promise<RequestTag[]> {
    return tx.query<RequestTag>(TAGS_IN_TRANSACTION, [tx.companyId, requestId]);
  }

  private async changed(tx: Tx, requestId: string, before: RequestTag[]): Promise<RequestTag[]> {
    const after = await this.of(tx, requestId);
    if (after.length !== before.length)
      tx.audit({
        action: 'update',
        resource_type: 'request',
        resource_id: requestId,
        before: { tags: before },
        after: { tags: after },
      });
    return after;
  }

  private async lock(tx: Tx, requestId: string): Promise<number> {
    const [row] = await tx.query<{ date_created: number }>(LOCK_REQUEST, [tx.companyId, requestId]);
    if (!row) throw notFound('request');
    return row.date_created;
  }
}
