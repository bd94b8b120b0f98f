import { Injectable } from '@nestjs/common';
import { notFound, type ScoredWith } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { type Criterion, definitionsSha256, sameCriteria } from '../judging/index.js';
import type { GatedRun } from './gate.js';
import { CRITERIA_OF_SET, ITEMS_CHANGED_SINCE, NEWEST_RUN, STALE_ITEMS } from './gated-runs.sql.js';
import { ENABLED_CRITERIA } from '../scoring/index.js';

export interface GatedVersion {
  consumer_kind: string;
  consumer_id: number;
  version: string;
  test_set_id: number;
}

/** By the clock that has dated all runs, checks and changes. */
interface AnswerTime {
  now: number;
}

type FoundRun = Omit<GatedRun, 'noun' | 'hasCriteriaOfSet' | 'stale' | 'stale_items'> &
  AnswerTime & {
    id: string;
    prepared_at: number;
    scored_with: ScoredWith | null;
  };

type Stale = Pick<GatedRun, 'stale' | 'stale_items'>;

/** How long the transaction of a change may be open: the date of the change is before its commit. */
const OPEN_CHANGE_MS = 60_000;

/** SQL: the items of the newest run are counted and joined with those of its set. */
@Injectable()
export class GatedRuns {
  constructor(private readonly db: Database) {}

  /**
   * The newest completed run, in this order of preference: scored or being scored, then not cancelled. Null when there
   * is none, 404 when the set does not exist.
   */
  async newest(companyId: number, version: GatedVersion): Promise<(Omit<GatedRun, 'noun'> & AnswerTime) | null> {
    const { consumer_kind, consumer_id, test_set_id } = version;
    const [found] = await this.db.select<FoundRun>(companyId, NEWEST_RUN, [
      consumer_kind,
      consumer_id,
      version.version,
      test_set_id,
    ]);
    const criteriaOfSet = await this.criteriaOf(companyId, test_set_id);
    if (!found) return null;
    const { id, prepared_at, scored_with, ...run } = found;
    return {
      ...run,
      hasCriteriaOfSet: await this.isScoredBy(companyId, criteriaOfSet, scored_with),
      ...(await this.staleItems(companyId, { id, prepared_at, test_set_id })),
    };
  }

  /** Added, changed or removed after the start of a check of `total` items. */
  async staleSince(
    companyId: number,
    test_set_id: number,
    started_at: number,
    total: number,
  ): Promise<Stale & AnswerTime> {
    const [changed] = await this.db.select<Stale & AnswerTime & { count: number }>(companyId, ITEMS_CHANGED_SINCE, [
      test_set_id,
      started_at,
    ]);
    const { stale = 0, stale_items = [], count = 0, now = Infinity } = changed ?? {};
    return { stale: Math.max(stale, Math.abs(count - total)), stale_items, now };
  }

  async requireSet(companyId: number, id: number): Promise<void> {
    await this.criteriaOf(companyId, id);
  }

  private async criteriaOf(companyId: number, setId: number): Promise<number[]> {
    const [set] = await this.db.select<{ criteria_ids: number[] }>(companyId, CRITERIA_OF_SET, [setId]);
    if (!set) throw notFound('test set');
    return set.criteria_ids;
  }

  private async isScoredBy(companyId: number, ids: number[], scoredWith: ScoredWith | null): Promise<boolean> {
    if (!scoredWith || !sameCriteria(ids, scoredWith.criteria_ids)) return false;
    const criteria = await this.db.select<Criterion>(companyId, ENABLED_CRITERIA, [ids]);
    return definitionsSha256(criteria) === scoredWith.definitions_sha256;
  }

  private async staleItems(
    companyId: number,
    { id, prepared_at, test_set_id }: Pick<FoundRun, 'id' | 'prepared_at'> & Pick<GatedVersion, 'test_set_id'>,
  ): Promise<Stale> {
    const [stale] = await this.db.select<Stale>(companyId, STALE_ITEMS, [
      id,
      test_set_id,
      prepared_at - OPEN_CHANGE_MS,
    ]);
    return stale ?? { stale: 0, stale_items: [] };
  }
}
