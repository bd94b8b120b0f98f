import { Injectable } from '@nestjs/common';
import { type Caller, notFound, type RequestTag } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';

const TAGS_OF_REQUEST = `SELECT g.id, g.tag_name FROM traffic.request_tags a
  JOIN traffic.tags g ON g.company_id = a.company_id AND g.id = a.tag_id`;

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
