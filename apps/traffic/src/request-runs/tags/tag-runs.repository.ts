import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type JsonText,
  type Key,
  notFound,
  type Page,
  type RequestFilter,
  type TagRun,
} from '@signalbox/contracts';
import { Database, filtersOf, type ListOptions, type Tx } from '@signalbox/database';
import { RUN_EVENTS, type RunKind, RunNotifications, Runs, type RunTrigger, StreamSubscribers } from '@signalbox/runs';
import { TagRules } from '../../tags/index.js';
import { type RunningTagRun, tagRunLifecycle, tagRunStates } from './tag-run.js';
import { NUMBER_OF_RUN, RUN_BY_NUMBER, RUN_RECORD, STORED_TAG_RUNS, view } from './tag-runs.sql.js';

const TAG_RUN_WORK = 'tag_run';

const TAG_RUNS: RunKind<RunningTagRun, RunTrigger, TagRun> = {
  ...STORED_TAG_RUNS,
  ...RUN_EVENTS,
  noun: 'tag run',
  work: TAG_RUN_WORK,
  states: tagRunStates,
  record: RUN_RECORD,
  lifecycle: tagRunLifecycle,
};

/** SQL: clients know a run by its serial number, the library by its uuid. */
@Injectable()
export class TagRuns extends Runs<RunningTagRun, RunTrigger, TagRun> {
  constructor(
    db: Database,
    notifications: RunNotifications,
    subscribers: StreamSubscribers,
    private readonly rules: TagRules,
  ) {
    super(TAG_RUNS, db, notifications, subscribers);
  }

  /** Copies the rules as they are now; 404 when one of them does not exist. */
  create(caller: Caller, ruleIds: readonly number[], filters: RequestFilter): Promise<JsonText<TagRun>> {
    return this.db.withCompany(caller, async (tx) => {
      const rules = await this.rules.applied(tx, ruleIds);
      const values = {
        status: 'QUEUED',
        rule_ids: ruleIds,
        rules: JSON.stringify(rules),
        filters: JSON.stringify(filters),
      };
      const id = randomUUID();
      await this.writes.accept(tx, { id, workKind: TAG_RUN_WORK, values });
      const [row] = await tx.query<{ no: number }>(NUMBER_OF_RUN, [tx.companyId, id]);
      return this.readAudited(tx, row?.no ?? 0, 'create');
    });
  }

  async cancel(caller: Caller, no: number): Promise<JsonText<TagRun>> {
    const [run] = await this.db.select<RunningTagRun>(caller.companyId, RUN_BY_NUMBER, [no]);
    if (!run) throw notFound('tag run');
    return this.cancels.cancel(caller, run.id, {}, (tx) => this.readAudited(tx, no, 'update'));
  }

  list(companyId: number, input: ListOptions): Promise<JsonText<Page<TagRun>>> {
    return this.db.list<TagRun>(view, companyId, { ...input, filters: filtersOf(view, input) });
  }

  read(keys: readonly Key[]): Promise<(JsonText<TagRun> | null)[]> {
    return this.db.readMany<TagRun>(view, keys);
  }

  private async readAudited(tx: Tx, no: number, action: 'create' | 'update'): Promise<JsonText<TagRun>> {
    const read = await tx.read<TagRun>(view, no);
    if (!read) throw notFound('tag run');
    const { status, rule_ids, filters } = JSON.parse(read.text) as TagRun;
    const after = action === 'create' ? { status, rule_ids, filters } : { status };
    tx.audit({ action, resource_type: 'tag_run', resource_id: String(no), before: null, after });
    return read;
  }
}
