import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { JobHandler, TryLater } from '@signalbox/bus';
import type { FailureClass } from '@signalbox/contracts';
import type { Job } from '@signalbox/platform';
import { Budgets } from '../budgets/index.js';
import { Judge, judgementId } from '../judging/index.js';
import { CheckedSets } from './checked-sets.js';
import { payloadOfItem } from './checked-item.js';
import { CheckItems, type JudgedItem, type NewCheckItem, type OpenCheck, sumOf } from './check-items.repository.js';
import { MonitorChecks } from './checks.repository.js';
import { monitorJobs } from '../jobs.js';

const AT_ONCE = 8;
const MAX_TRIES = 3;
const RETRY_MS = 1000;
const UNJUDGED_AT_ONCE = 5000;

/** An interrupted check continues after its stored outcomes. */
@Injectable()
export class CheckJudging {
  constructor(
    private readonly checks: MonitorChecks,
    private readonly items: CheckItems,
    private readonly sets: CheckedSets,
    private readonly judge: Judge,
    private readonly budgets: Budgets,
  ) {}

  @JobHandler(monitorJobs.runCheck, { concurrency: 4, onExhausted: 'giveUp' })
  async run(job: Job, signal: AbortSignal, stopping: AbortSignal): Promise<void> {
    const check = await this.items.open(job);
    if (!check) return;
    if (check.status === 'CREATED')
      await this.items.begin(job, await this.sets.items(job.companyId, check.test_set_id));
    for (;;) {
      const pending = await this.items.pending(job, AT_ONCE);
      if (pending.length === 0) return this.checks.complete(job);
      if (stopping.aborted) throw new TryLater(0);
      const reason = await this.reasonToEnd(job, check);
      if (reason) {
        await this.endPending(job, check, reason);
        continue;
      }
      const judged = await Promise.all(pending.map((item) => this.judgeItem(job, check, item, signal)));
      await this.items.store(job, check, judged);
    }
  }

  async giveUp(job: Job): Promise<void> {
    const check = await this.items.open(job);
    if (!check) return;
    if (check.status === 'CREATED') await this.items.begin(job, []);
    await this.endPending(job, check, { failure_class: 'internal', error_code: null });
    await this.checks.complete(job);
  }

  private async endPending(job: Job, check: OpenCheck, reason: Unjudged): Promise<void> {
    for (;;) {
      const pending = await this.items.pending(job, UNJUDGED_AT_ONCE);
      if (pending.length === 0) return;
      await this.items.store(
        job,
        check,
        pending.map((item) => failed(item, reason)),
      );
    }
  }

  /** Null while the check goes on. */
  private async reasonToEnd(job: Job, { monitor_id, config: { limits } }: OpenCheck): Promise<Unjudged | null> {
    if ((await this.items.open(job))?.is_deleted) return MONITOR_DELETED;
    const spentUntil = await this.budgets.spentUntil(job.companyId, { monitor_id, limits });
    return spentUntil === null ? null : BUDGET_EXCEEDED;
  }

  private async judgeItem(job: Job, check: OpenCheck, pending: NewCheckItem, signal: AbortSignal): Promise<JudgedItem> {
    const item = await this.sets.item(job.companyId, check.test_set_id, pending.test_set_item_id);
    const payload = item && pending.expected_outcome !== null ? payloadOfItem(item, check.target_types) : null;
    if (!payload) return failed(pending, { failure_class: 'adapter', error_code: null });
    const costs: (number | null)[] = [];
    for (let tries = 1; ; tries++) {
      const { companyId } = job;
      const callId = judgementId(companyId, `check ${check.id} ${pending.test_set_item_id} ${tries}`);
      const metadata = { monitor_check_id: check.id };
      const task = { companyId, config: check.config, payload, runId: null, metadata, callId };
      const { outcome, failure, cost } = await this.judge.judge(task, signal);
      costs.push(cost);
      if (!failure) return judgedItem(pending, { outcome, cost: sumOf(costs) });
      if (!failure.repeatable || tries === MAX_TRIES)
        return { ...failed(pending, { ...failure, error_code: null }), cost: sumOf(costs) };
      await pause(RETRY_MS * 2 ** (tries - 1), undefined, { signal });
    }
  }
}

type Unjudged = Pick<JudgedItem, 'error_code'> & { failure_class: FailureClass };

/** Class `judge`, because the item exists but was not judged. */
const BUDGET_EXCEEDED: Unjudged = { failure_class: 'judge', error_code: 'budget_exceeded' };
const MONITOR_DELETED: Unjudged = { failure_class: 'judge', error_code: null };

const judgedItem = (
  { test_set_item_id }: NewCheckItem,
  { outcome, cost }: Pick<JudgedItem, 'outcome' | 'cost'>,
): JudgedItem => ({
  test_set_item_id,
  outcome,
  failure_class: outcome === 'PASS' ? null : 'quality',
  error_code: null,
  cost,
});

const failed = ({ test_set_item_id }: NewCheckItem, { failure_class, error_code }: Unjudged): JudgedItem => ({
  test_set_item_id,
  outcome: 'ERROR',
  failure_class,
  error_code,
  cost: null,
});
