import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { Part } from '../request-records/index.js';
import {
  BEGIN_SWEEP,
  DELETE_REFERENCES,
  FORGET_DROPPED,
  INSERT_REFERENCES,
  KEYS_OF_REQUESTS,
  LOCK_HASHES,
  PARTS_OF_REQUEST,
  SET_OFFLOADED,
} from './offloaded-objects.sql.js';

export interface PartRow extends Record<Part, string | null> {
  date_created: string;
}

export interface OffloadedPart {
  part: Part;
  key: string;
  excerpt: string;
}

export type PartKeys = Partial<Record<Part, string>>;

/** SQL: parts are compared by their hashes, references in sets. */
@Injectable()
export class OffloadedObjects {
  constructor(private readonly db: Database) {}

  async parts(companyId: number, requestId: string): Promise<PartRow | null> {
    const [row] = await this.db.select<PartRow>(companyId, PARTS_OF_REQUEST, [requestId]);
    return row ?? null;
  }

  async lockHashes(tx: Tx, job: Job): Promise<Record<Part, string | null> | null> {
    await tx.requireFence(job);
    const [row] = await tx.query<Record<Part, string | null>>(LOCK_HASHES, [tx.companyId, job.ref]);
    return row ?? null;
  }

  async name(tx: Tx, requestId: string, createdAt: string, moved: readonly OffloadedPart[]): Promise<void> {
    const keys = Object.fromEntries(moved.map(({ part, key }) => [part, key]));
    await tx.query(SET_OFFLOADED(moved.map(({ part }) => part)), [
      tx.companyId,
      requestId,
      createdAt,
      JSON.stringify(keys),
      ...moved.map(({ excerpt }) => excerpt),
    ]);
    await tx.query(INSERT_REFERENCES, [
      tx.companyId,
      requestId,
      createdAt,
      moved.map(({ key }) => key),
      moved.map(({ part }) => part),
    ]);
  }

  async release(tx: Tx, requestIds: readonly string[], part?: Part): Promise<string[]> {
    if (requestIds.length === 0) return [];
    const rows = await tx.query<{ object_key: string }>(DELETE_REFERENCES, [tx.companyId, requestIds, part ?? null]);
    return rows.map(({ object_key }) => object_key);
  }

  /** Deletes the references of requests that are gone with the day they were recorded on. */
  async forgetDropped(companyId: number, keys: readonly string[]): Promise<void> {
    await this.db.withCompany({ companyId }, (tx) => tx.query(FORGET_DROPPED, [companyId, keys]));
  }

  async keysOf(companyId: number, requestIds: readonly string[]): Promise<Map<string, PartKeys>> {
    const rows = await this.db.select<{ request_id: string; objects: PartKeys }>(companyId, KEYS_OF_REQUESTS, [
      requestIds,
    ]);
    return new Map(rows.map(({ request_id, objects }) => [request_id, objects]));
  }

  /** True when no process has begun a sweep since this time; registers the sweep of this process. */
  async beginSweep(since: number): Promise<boolean> {
    const rows = await this.db.asWorker(BEGIN_SWEEP, [since, Date.now()]);
    return rows.length > 0;
  }
}
