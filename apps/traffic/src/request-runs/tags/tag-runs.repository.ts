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
import { Database, type ListOptions, type Tx, type View } from '@signalbox/database';
import {
  runEventTemplates,
  type RunKind,
  RunNotifications,
  Runs,
  type RunTrigger,
  StreamSubscribers,
  streamTypes,
  tablesOf,
} from '@signalbox/runs';
import { TagRules } from '../../tags/index.js';
import { type RunningTagRun, tagRunLifecycle, tagRunStates } from './tag-run.js';
import { TAG_RUN_SCHEMA } from '../../migrations/tag-run-schema.js';

/** Kind of the work that is one tag run. */
const TAG_RUN_WORK = 'tag_run';

const STATUS = `CASE t.status WHEN 'QUEUED' THEN 'PENDING' ELSE t.status END`;
const UPDATED = 'COALESCE(t.completed_at, t.started_at, t.date_created)';
const COLUMNS = [
  'rule_ids',
  'filters',
  'total_requests',
  'processed',
  'tagged',
  'errors',
  'error_message',
  'date_created',
  'started_at',
  'completed_at',
] as const;

const view: View = {
  resource: 'tag run',
  table: 'traffic.tag_runs',
  key: 'no',
  alive: 'true',
  columns: COLUMNS,
  computed: { id: 't.no', status: STATUS, date_updated: UPDATED },
  sort: { date_updated: UPDATED },
};

const TAG_RUNS: RunKind<RunningTagRun, RunTrigger, TagRun> = {
  noun: 'tag run',
  work: TAG_RUN_WORK,
  states: tagRunStates,
  tables: tablesOf(TAG_RUN_SCHEMA),
  columns: `t.id, t.no, t.status, t.last_seq, t.has_secrets, t.rules, t.filters, t.upto, t.cursor, t.judgements,
    t.errors, t.last_error`,
  timelineColumns: [],
  streamTypes: streamTypes('run'),
  record: `t.no AS id, ${STATUS} AS status, ${UPDATED} AS date_updated, ${COLUMNS.map((name) => `t.${name}`).join(', ')}`,
  lifecycle: tagRunLifecycle,
  eventTemplates: runEventTemplates('run'),
};

/**
 * The tag runs of companies.
 *
 * SQL: clients know a run by its serial number, the library by its uuid.
 */
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

  /** Accepts a run of the rules as they are now; 404 when one of them does not exist. */
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
      const [row] = await tx.query<{ no: number }>(
        'SELECT no FROM traffic.tag_runs WHERE company_id = $1 AND id = $2',
        [tx.companyId, id],
      );
      return this.readAudited(tx, row?.no ?? 0, 'create');
    });
  }

  /** Cancels a run; 404 when it does not exist, 409 when it has ended. */
  async cancel(caller: Caller, no: number): Promise<JsonText<TagRun>> {
    const [run] = await this.select(caller.companyId, 't.no = $2', [no]);
    if (!run) throw notFound('tag run');
    return this.cancels.cancel(caller, run.id, {}, (tx) => this.readAudited(tx, no, 'update'));
  }

  list(companyId: number, options: ListOptions): Promise<JsonText<Page<TagRun>>> {
    return this.db.list<TagRun>(view, companyId, options);
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

/** The condition of a list for a state. */
export const ofStatus = (status: string | undefined) =>
  status === undefined ? [] : [{ sql: `${STATUS} = ?`, value: status }];
