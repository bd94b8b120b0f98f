import { Injectable } from '@nestjs/common';
import { type Caller, invalidField, nullIfNotFound, type RunBaseline } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { ComparedRuns, Comparisons } from '../run-comparison/index.js';
import type { LockedTestRun } from '../run-records/index.js';
import { NEWEST_BASELINE, NEWEST_BASELINE_WITHOUT_CONSUMER } from './baselines.sql.js';

const CONFIDENCE = 0.95;

/** SQL: the newest one of the same set and consumer is found by the index of the consumer. */
@Injectable()
export class Baselines {
  constructor(
    private readonly db: Database,
    private readonly compared: ComparedRuns,
    private readonly comparisons: Comparisons,
  ) {}

  /** 404 when the run does not exist, 400 when it is of another set. */
  async require(companyId: number, no: number, setId: number): Promise<void> {
    const [run] = await this.compared.runs(companyId, [no]);
    if (run?.test_set_id !== setId) throw invalidField('baseline_run_id', 'must be a run of the same test set');
  }

  /** With the given run, else the newest earlier one; null when there is none. */
  async compare(caller: Caller, run: LockedTestRun, given: number | undefined): Promise<RunBaseline | null> {
    const id = given ?? (await this.newest(caller.companyId, run));
    if (id === null || id === run.no) return null;
    const asked = { test_run_ids: [id, run.no], confidence: CONFIDENCE, offset: 0, limit: 1 };
    // The baseline may have been deleted while the run was executed.
    const compared = await this.comparisons.compare(caller, asked).catch(nullIfNotFound);
    return (
      compared && { id, match_rate: compared.runs[0]?.match_rate ?? null, differences: compared.differences ?? [] }
    );
  }

  /** A run that was cancelled or never scored is no baseline: it says nothing about most items. */
  private async newest(companyId: number, run: LockedTestRun): Promise<number | null> {
    const { consumer_kind, consumer_id, test_set_id, no } = run;
    const values = [consumer_kind, test_set_id, no];
    const [found] = await (consumer_id === null
      ? this.db.select<{ no: number }>(companyId, NEWEST_BASELINE_WITHOUT_CONSUMER, values)
      : this.db.select<{ no: number }>(companyId, NEWEST_BASELINE, [...values, consumer_id]));
    return found?.no ?? null;
  }
}
