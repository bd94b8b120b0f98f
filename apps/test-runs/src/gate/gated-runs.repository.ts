import { Injectable } from '@nestjs/common';
import { notFound } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import type { GatedRun } from './gate.js';

/** The version that a gate asks about. */
export interface GatedVersion {
  consumer_kind: string;
  consumer_id: number;
  version: string;
  test_set_id: number;
}

/**
 * Finds the runs behind release gates.
 *
 * SQL: the items of the newest run are counted.
 */
@Injectable()
export class GatedRuns {
  constructor(private readonly db: Database) {}

  /** The newest completed run; null when there is none, 404 when the set does not exist. */
  async newest(
    companyId: number,
    { consumer_kind, consumer_id, version, test_set_id }: GatedVersion,
  ): Promise<Omit<GatedRun, 'noun'> | null> {
    const [found] = await this.db.select<Omit<GatedRun, 'noun'>>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT r.no, r.completed_at, r.scored_at, r.total_items AS total, c.matched, c.mismatched, c.errors
         FROM (SELECT t.* FROM "test-runs".runs t WHERE t.company_id = s.company AND t.consumer_kind = $2 AND t.consumer_id = $3
             AND t.consumer_version = $4 AND t.test_set_id = $5 AND t.status = 'COMPLETED' ORDER BY t.completed_at DESC, t.no DESC
             LIMIT 1) r
         CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE i.status = 'COMPLETED' AND i.matched)::int AS matched,
             count(*) FILTER (WHERE i.status = 'COMPLETED' AND NOT i.matched)::int AS mismatched,
             count(*) FILTER (WHERE i.status = 'FAILED')::int AS errors
           FROM "test-runs".run_items i WHERE i.company_id = r.company_id AND i.run_id = r.id) c OFFSET 0) x`,
      [consumer_kind, consumer_id, version, test_set_id],
    );
    if (!found) await this.requireSet(companyId, test_set_id);
    return found ?? null;
  }

  async requireSet(companyId: number, id: number): Promise<void> {
    const sets = await this.db.select(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT 1 AS found FROM "test-runs".test_sets t
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
      [id],
    );
    if (sets.length === 0) throw notFound('test set');
  }
}
