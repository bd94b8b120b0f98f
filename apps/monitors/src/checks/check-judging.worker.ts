import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { GivesUp, TryLater, Works } from '@signalbox/bus';
import type { FailureClass } from '@signalbox/contracts';
import type { Job } from '@signalbox/platform';
import { Judge } from '../judging/judge.js';
import { CheckedSets } from './checked-sets.js';
import { type CheckedItem, payloadOfItem } from './checked-item.js';
import { CheckItems, type JudgedItem, type NewCheckItem, type OpenCheck } from './check-items.repository.js';
import { CHECK_WORK, MonitorChecks } from './checks.repository.js';

/** Items of a check that are judged at once, and stored together. */
const AT_ONCE = 8;
const MAX_TRIES = 3;
const RETRY_MS = 1000;
/** Items that a check gives up at once after its fifth interruption. */
const GIVEN_UP = 10_000;

/** Judges the items of checks; one that is interrupted continues behind its stored outcomes. */
@Injectable()
export class CheckJudging {
  constructor(
    private readonly checks: MonitorChecks,
    private readonly items: CheckItems,
    private readonly sets: CheckedSets,
    private readonly judge: Judge,
  ) {}

  @Works(CHECK_WORK, { concurrency: 4 })
  async run(job: Job, signal: AbortSignal, stopping: AbortSignal): Promise<void> {
    const check = await this.items.open(job);
    if (!check) return;
    if (check.status === 'CREATED')
      await this.items.begin(job, await this.sets.items(job.companyId, check.test_set_id));
    for (;;) {
      const pending = await this.items.pending(job, AT_ONCE);
      if (pending.length === 0) return this.checks.complete(job);
      if (stopping.aborted) throw new TryLater(0);
      await this.items.store(job, await Promise.all(pending.map((item) => this.judgeItem(job, check, item, signal))));
    }
  }

  @GivesUp(CHECK_WORK)
  async giveUp(job: Job): Promise<void> {
    const check = await this.items.open(job);
    if (!check) return;
    if (check.status === 'CREATED') await this.items.begin(job, []);
    const pending = await this.items.pending(job, GIVEN_UP);
    await this.items.store(
      job,
      pending.map((item) => failed(item, 'internal')),
    );
    await this.checks.complete(job);
  }

  private async judgeItem(job: Job, check: OpenCheck, pending: NewCheckItem, signal: AbortSignal): Promise<JudgedItem> {
    const item = await this.sets.item(job.companyId, check.test_set_id, pending.test_set_item_id);
    const payload = item && pending.expected_outcome !== null ? payloadOf(item, check) : null;
    if (!payload) return failed(pending, 'adapter');
    for (let tries = 1; ; tries++) {
      const task = { companyId: job.companyId, config: check.config, payload, runId: null };
      const { outcome, failure } = await this.judge.judge(task, signal);
      const { test_set_item_id } = pending;
      if (!failure) return { test_set_item_id, outcome, failure_class: outcome === 'PASS' ? null : 'quality' };
      if (!failure.repeatable || tries === MAX_TRIES) return failed(pending, failure.failure_class);
      await pause(RETRY_MS * 2 ** (tries - 1), undefined, { signal });
    }
  }
}

const payloadOf = (item: CheckedItem, { target_types }: OpenCheck): object | null => payloadOfItem(item, target_types);

const failed = ({ test_set_item_id }: NewCheckItem, failure_class: FailureClass): JudgedItem => ({
  test_set_item_id,
  outcome: 'ERROR',
  failure_class,
});
