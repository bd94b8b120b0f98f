import { Injectable } from '@nestjs/common';
import { type Caller, notFound, type RequestTag } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';

const TAGS_OF_REQUEST = `SELECT g.id, g.tag_name FROM traffic.request_tags a
  JOIN traffic.tags g ON g.company_id = a.company_id AND g.id = a.tag_id`;

/** A tag that a request gets; `date_created` is that of the request. */
export interface Assignment {
  tag_id: number;
  request_id: string;
  date_created: number;
}

/**
 * The tags of requests.
 *
 * SQL: an assignment refers to a partitioned table, and is inserted once by ON CONFLICT.
 */
@Injectable()
export class RequestTags {
  constructor(private readonly db: Database) {}

  /** The tags of a request by name; 404 when the request does not exist. */
  async list(companyId: number, requestId: string): Promise<RequestTag[]> {
    const [row] = await this.db.select<{ tags: RequestTag[] }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT COALESCE(
           (SELECT json_agg(g ORDER BY g.tag_name)
            FROM (${TAGS_OF_REQUEST} WHERE a.company_id = t.company_id AND a.request_id = t.request_id) g), '[]') AS tags
         FROM traffic.requests t
         WHERE t.company_id = s.company AND t.request_id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
      [requestId],
    );
    if (!row) throw notFound('request');
    return row.tags;
  }

  /** Assigns a tag; a second time changes nothing. 404 when the request or the tag does not exist. */
  async add(caller: Caller, requestId: string, tagId: number): Promise<RequestTag[]> {
    return this.db.withCompany(caller, async (tx) => {
      const date = await this.lock(tx, requestId);
      const tag = await tx.query(
        'SELECT 1 FROM traffic.tags WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE',
        [tx.companyId, tagId],
      );
      if (tag.length === 0) throw notFound('tag');
      const before = await this.of(tx, requestId);
      await tx.query(
        `INSERT INTO traffic.request_tags (company_id, tag_id, request_id, request_date) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING`,
        [tx.companyId, tagId, requestId, date],
      );
      return this.changed(tx, requestId, before);
    });
  }

  /** Removes a tag; 404 when the request does not have it. */
  async remove(caller: Caller, requestId: string, tagId: number): Promise<void> {
    await this.db.withCompany(caller, async (tx) => {
      await this.lock(tx, requestId);
      const before = await this.of(tx, requestId);
      if (!before.some(({ id }) => id === tagId)) throw notFound('tag');
      await tx.query('DELETE FROM traffic.request_tags WHERE company_id = $1 AND request_id = $2 AND tag_id = $3', [
        tx.companyId,
        requestId,
        tagId,
      ]);
      await this.changed(tx, requestId, before);
    });
  }

  /**
   * Assigns tags to many requests and returns how many requests got one that they did not have. Tags and requests that
   * were deleted meanwhile are skipped.
   */
  async assign(tx: Tx, assignments: readonly Assignment[]): Promise<number> {
    if (assignments.length === 0) return 0;
    const column = <Name extends keyof Assignment>(name: Name) => assignments.map((each) => each[name]);
    const tags = await tx.query<{ id: number }>(
      `SELECT id FROM traffic.tags WHERE company_id = $1 AND id = ANY ($2::int[]) AND deleted_at IS NULL
       ORDER BY id FOR SHARE`,
      [tx.companyId, column('tag_id')],
    );
    const [row] = await tx.query<{ requests: number }>(
      `WITH assigned AS (
         INSERT INTO traffic.request_tags (company_id, tag_id, request_id, request_date)
         SELECT $1, u.tag_id, r.request_id, r.date_created
         FROM unnest($2::int[], $3::uuid[], $4::bigint[]) u(tag_id, request_id, date_created)
         JOIN traffic.requests r ON r.company_id = $1 AND r.request_id = u.request_id
           AND r.date_created = u.date_created AND r.deleted_at IS NULL
         WHERE u.tag_id = ANY ($5::int[])
         ORDER BY u.tag_id, r.request_id
         ON CONFLICT DO NOTHING RETURNING request_id)
       SELECT count(DISTINCT request_id)::int AS requests FROM assigned`,
      [tx.companyId, column('tag_id'), column('request_id'), column('date_created'), tags.map(({ id }) => id)],
    );
    return row?.requests ?? 0;
  }

  private of(tx: Tx, requestId: string): Promise<RequestTag[]> {
    return tx.query<RequestTag>(
      `${TAGS_OF_REQUEST} WHERE a.company_id = $1 AND a.request_id = $2 ORDER BY g.tag_name`,
      [tx.companyId, requestId],
    );
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

  /** Locks a request and returns its date. */
  private async lock(tx: Tx, requestId: string): Promise<number> {
    const [row] = await tx.query<{ date_created: number }>(
      `SELECT date_created FROM traffic.requests
       WHERE company_id = $1 AND request_id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
      [tx.companyId, requestId],
    );
    if (!row) throw notFound('request');
    return row.date_created;
  }
}
