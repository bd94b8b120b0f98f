import { Injectable } from '@nestjs/common';
import { notFound, type ScoredWith } from '@signalbox/contracts';
import { Database, NOW_MS } from '@signalbox/database';
import { SOURCE_MD5 } from '../runs/index.js';
import { criteriaKey, type Criterion, definitionsSha256 } from '../judging/index.js';
import { CRITERIA } from '../scoring/index.js';
import type { GatedRun } from './gate.js';

export interface GatedVersion {
  consumer_kind: string;
  consumer_id: number;
  version: string;
  test_set_id: number;
}

/** When the database has answered, by the clock that has dated all runs, checks and changes. */
interface Answered {
  now: number;
}

type FoundRun = Omit<GatedRun, 'noun' | 'hasCriteriaOfSet' | 'stale' | 'stale_items'> &
  Answered & {
    id: string;
    prepared_at: number;
    scored_with: ScoredWith | null;
  };

/** The items of a set that are not as a run has used them. */
type Stale = Pick<GatedRun, 'stale' | 'stale_items'>;

/** How long a change of an item may be open: its date is before its commit. */
const OPEN_CHANGE_MS = 60_000;
const MAX_NAMED = 20;

const counted = (items: string): string =>
  `SELECT count(*)::int AS stale, COALESCE((array_agg(f.id ORDER BY f.id))[1:${MAX_NAMED}], '{}') AS stale_items FROM (${items}) f`;

/**
 * Finds the runs behind release gates, and what has changed since.
 *
 * SQL: the items of the newest run are counted and joined with those of its set.
 */
@Injectable()
export class GatedRuns {
  constructor(private readonly db: Database) {}

  /** The newest completed run; null when there is none, 404 when the set does not exist. */
  async newest(companyId: number, version: GatedVersion): Promise<(Omit<GatedRun, 'noun'> & Answered) | null> {
    const { consumer_kind, consumer_id, test_set_id } = version;
    const [found] = await this.db.select<FoundRun>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT r.id, r.no, r.prepared_at, r.completed_at, r.scored_at, r.cancelled_at, r.scored_with,
           r.total_items AS total, ${NOW_MS} AS now, c.matched, c.mismatched, c.errors
         FROM (SELECT t.* FROM "test-runs".runs t WHERE t.company_id = s.company AND t.consumer_kind = $2 AND t.consumer_id = $3
             AND t.consumer_version = $4 AND t.test_set_id = $5 AND t.status = 'COMPLETED' ORDER BY t.completed_at DESC, t.no DESC
             LIMIT 1) r
         CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE i.status = 'COMPLETED' AND i.matched)::int AS matched,
             count(*) FILTER (WHERE i.status = 'COMPLETED' AND NOT i.matched)::int AS mismatched,
             count(*) FILTER (WHERE i.status = 'FAILED')::int AS errors
           FROM "test-runs".run_items i WHERE i.company_id = r.company_id AND i.run_id = r.id) c OFFSET 0) x`,
      [consumer_kind, consumer_id, version.version, test_set_id],
    );
    const criteriaOfSet = await this.criteriaOf(companyId, test_set_id);
    if (!found) return null;
    const { id, prepared_at, scored_with, ...run } = found;
    return {
      ...run,
      hasCriteriaOfSet: await this.isScoredBy(companyId, criteriaOfSet, scored_with),
      ...(await this.staleItems(companyId, { id, prepared_at, test_set_id })),
    };
  }

  /** The items of a set that were added, changed or removed after a check of `total` of them had started. */
  async staleSince(
    companyId: number,
    test_set_id: number,
    started_at: number,
    total: number,
  ): Promise<Stale & Answered> {
    const [changed] = await this.db.select<Stale & Answered & { count: number }>(
      companyId,
      `SELECT x.*, ${NOW_MS} AS now, (SELECT t.item_count FROM "test-runs".test_sets t, s WHERE t.company_id = s.company AND t.id = $2) AS count
       FROM s, LATERAL (${counted(
         `SELECT t.id FROM "test-runs".test_set_items t WHERE t.company_id = s.company AND t.test_set_id = $2
            AND t.deleted_at IS NULL AND GREATEST(t.date_created, t.date_updated) > $3
          UNION ALL SELECT t.id FROM "test-runs".test_set_items t WHERE t.company_id = s.company AND t.test_set_id = $2
            AND t.deleted_at > $3 AND t.date_created <= $3`,
       )} OFFSET 0) x`,
      [test_set_id, started_at],
    );
    const { stale = 0, stale_items = [], count = 0, now = Infinity } = changed ?? {};
    return { stale: Math.max(stale, Math.abs(count - total)), stale_items, now };
  }

  async requireSet(companyId: number, id: number): Promise<void> {
    await this.criteriaOf(companyId, id);
  }

  /** The criteria of a set; 404 when it does not exist. */
  private async criteriaOf(companyId: number, setId: number): Promise<number[]> {
    const [set] = await this.db.select<{ criteria_ids: number[] }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.criteria_ids FROM "test-runs".test_sets t
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
      [setId],
    );
    if (!set) throw notFound('test set');
    return set.criteria_ids;
  }

  /** Whether scores were made by criteria as they are now. */
  private async isScoredBy(companyId: number, ids: number[], scoredWith: ScoredWith | null): Promise<boolean> {
    if (!scoredWith || criteriaKey(ids, scoredWith.criteria_ids) !== '') return false;
    const criteria = await this.db.select<Criterion>(
      companyId,
      `SELECT x.* FROM s, LATERAL (${CRITERIA('s.company')} OFFSET 0) x`,
      [ids],
    );
    return definitionsSha256(criteria) === scoredWith.definitions_sha256;
  }

  /** The items of a set that were added, removed or changed after a run was prepared, or overridden after it was scored. */
  private async staleItems(
    companyId: number,
    { id, prepared_at, test_set_id }: Pick<FoundRun, 'id' | 'prepared_at'> & Pick<GatedVersion, 'test_set_id'>,
  ): Promise<Stale> {
    const [stale] = await this.db.select<Stale>(
      companyId,
      `SELECT x.* FROM s, LATERAL (${counted(
        `SELECT COALESCE(t.id, i.test_set_item_id) AS id
         FROM (SELECT i.* FROM "test-runs".run_items i WHERE i.company_id = s.company AND i.run_id = $2) i
         FULL JOIN (SELECT t.* FROM "test-runs".test_set_items t WHERE t.company_id = s.company AND t.test_set_id = $3
           AND t.deleted_at IS NULL) t ON t.id = i.test_set_item_id
         LEFT JOIN "test-runs".run_scores c ON c.company_id = i.company_id AND c.id = i.score_id
         WHERE t.id IS NULL OR i.id IS NULL OR (i.score_id IS NOT NULL AND t.response_sub_id IS DISTINCT FROM c.response_sub_id)
           OR (t.date_updated > $4 AND CASE WHEN i.source_md5 IS NULL THEN i.baseline::text IS DISTINCT FROM t.expected_output::text
             ELSE i.source_md5 <> ${SOURCE_MD5('t')} END)`,
      )} OFFSET 0) x`,
      [id, test_set_id, prepared_at - OPEN_CHANGE_MS],
    );
    return stale ?? { stale: 0, stale_items: [] };
  }
}
