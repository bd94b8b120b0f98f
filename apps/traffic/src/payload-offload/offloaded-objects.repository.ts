import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { type Part, PARTS } from '../request-records/index.js';

/** The parts of a request as texts; null where there is none. */
export interface PartRow extends Record<Part, string | null> {
  date_created: string;
}

/** An offloaded part, and its excerpt in the row. */
export interface OffloadedPart {
  part: Part;
  key: string;
  excerpt: string;
}

/** The object keys of a request's offloaded parts. */
export type PartKeys = Partial<Record<Part, string>>;

/** The keys that no request refers to. */
export const UNREFERENCED = `SELECT k AS key FROM unnest($2::text[]) k WHERE NOT EXISTS (
  SELECT 1 FROM traffic.request_objects o JOIN traffic.requests r
    ON r.company_id = o.company_id AND r.request_id = o.request_id AND r.date_created = o.date_created
  WHERE o.company_id = $1 AND o.object_key = k)`;

/**
 * References of requests to objects.
 *
 * SQL: parts are compared by their hashes, references in sets.
 */
@Injectable()
export class OffloadedObjects {
  constructor(private readonly db: Database) {}

  /** The parts of a request; null when it does not exist. */
  async parts(companyId: number, requestId: string): Promise<PartRow | null> {
    const [row] = await this.db.select<PartRow>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.date_created, ${PARTS.map((part) => `t.${part}::text`).join(', ')}
         FROM traffic.requests t WHERE t.company_id = s.company AND t.request_id = $2 OFFSET 0) x`,
      [requestId],
    );
    return row ?? null;
  }

  /** The hashes of the parts of a locked request, by the worker that holds its job; null when it does not exist. */
  async lockHashes(tx: Tx, job: Job): Promise<Record<Part, string | null> | null> {
    await tx.requireFence(job);
    const hash = (part: Part): string => `encode(sha256(convert_to(t.${part}::text, 'UTF8')), 'hex') AS ${part}`;
    const [row] = await tx.query<Record<Part, string | null>>(
      `SELECT ${PARTS.map(hash).join(', ')} FROM traffic.requests t
       WHERE t.company_id = $1 AND t.request_id = $2 FOR NO KEY UPDATE`,
      [tx.companyId, job.ref],
    );
    return row ?? null;
  }

  async name(tx: Tx, requestId: string, createdAt: string, moved: readonly OffloadedPart[]): Promise<void> {
    const keys = Object.fromEntries(moved.map(({ part, key }) => [part, key]));
    const excerpts = moved.map(({ part }, at) => `${part} = $${at + 5}::jsonb`);
    await tx.query(
      `UPDATE traffic.requests SET objects = COALESCE(objects, '{}') || $4::jsonb, ${excerpts.join(', ')}
       WHERE company_id = $1 AND request_id = $2 AND date_created = $3`,
      [tx.companyId, requestId, createdAt, JSON.stringify(keys), ...moved.map(({ excerpt }) => excerpt)],
    );
    await tx.query(
      `INSERT INTO traffic.request_objects (company_id, request_id, date_created, object_key, part)
       SELECT $1, $2, $3, u.key, u.part FROM unnest($4::text[], $5::text[]) u(key, part) ON CONFLICT DO NOTHING`,
      [tx.companyId, requestId, createdAt, moved.map(({ key }) => key), moved.map(({ part }) => part)],
    );
  }

  /** Deletes the references of requests, of one part or of all; returns the keys. */
  async release(tx: Tx, requestIds: readonly string[], part?: Part): Promise<string[]> {
    if (requestIds.length === 0) return [];
    const rows = await tx.query<{ object_key: string }>(
      `DELETE FROM traffic.request_objects WHERE company_id = $1 AND request_id = ANY($2::uuid[])
         AND ($3::text IS NULL OR part = $3) RETURNING object_key`,
      [tx.companyId, requestIds, part ?? null],
    );
    return rows.map(({ object_key }) => object_key);
  }

  /** The offloaded parts of requests. */
  async keysOf(companyId: number, requestIds: readonly string[]): Promise<Map<string, PartKeys>> {
    const rows = await this.db.select<{ request_id: string; objects: PartKeys }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.request_id, t.objects FROM traffic.requests t
         WHERE t.company_id = s.company AND t.request_id = ANY($2::uuid[]) AND t.objects IS NOT NULL OFFSET 0) x`,
      [requestIds],
    );
    return new Map(rows.map(({ request_id, objects }) => [request_id, objects]));
  }

  /** True when no process has begun a sweep since this time; registers the sweep of this process. */
  async beginSweep(since: number): Promise<boolean> {
    const rows = await this.db.asWorker(
      'UPDATE traffic.object_sweep SET began_at = $2 WHERE began_at <= $1 RETURNING 1',
      [since, Date.now()],
    );
    return rows.length > 0;
  }
}
