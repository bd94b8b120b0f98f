import { Injectable } from '@nestjs/common';
import {
  type JsonText,
  type ListedWorkflowRun,
  notFound,
  type Page,
  type RunLogEntry,
  type WorkflowRun,
} from '@signalbox/contracts';
import { Database, type ListOptions, type View } from '@signalbox/database';
import { DURATION, USAGE } from './run-record.js';

/** The beginning of the first user message, or of the input. */
const FIRST_MESSAGE = `left(COALESCE(
  (SELECT CASE jsonb_typeof(e.m->'content')
      WHEN 'string' THEN e.m->>'content'
      WHEN 'array' THEN (SELECT p->>'text' FROM jsonb_array_elements(e.m->'content') p WHERE p->>'type' = 'text' LIMIT 1)
    END
    FROM jsonb_array_elements(t.messages) WITH ORDINALITY e(m, n) ORDER BY (e.m->>'role' = 'user') DESC, e.n LIMIT 1),
  CASE jsonb_typeof(t.input) WHEN 'string' THEN t.input #>> '{}' ELSE t.input::text END), 200)`;

const BODIES = {
  input: 't.input',
  messages: 't.messages',
  params: 't.params',
  output: 't.output',
  transformed_session: 't.transformed_session',
};

/** The messages that a run has logged. */
const LOGS = `COALESCE((SELECT json_agg(json_build_object('timestamp', e.data->'timestamp', 'level', e.data->'level',
    'message', e.data->'message') ORDER BY e.seq) FROM workflows.run_events e
  WHERE e.company_id = t.company_id AND e.run_id = t.id AND e.type = 'run.log'), '[]'::json)`;

/** The view of a run; lists leave its bodies out. */
export const runView: View = {
  resource: 'run',
  table: 'workflows.runs',
  keyType: 'uuid',
  alive: 'true',
  columns: [
    'id',
    'workflow_id',
    'workflow_version',
    'release',
    'session_id',
    'status',
    'trigger',
    'mode',
    'failure_class',
    'error_code',
    'error_message',
    'attempts',
    'parent_run_id',
    'metadata',
    'started_at',
    'completed_at',
    'date_created',
  ],
  computed: { usage: USAGE, cost: 't.cost', duration_ms: DURATION, first_message: FIRST_MESSAGE },
  detail: { ...BODIES, transform_error: 't.transform_error', logs: LOGS },
  search: ['t.session_id', 't.id::text', 't.workflow_ref_name', 't.error_message'],
  // Ids are random, so sorting by id uses the order of acceptance.
  sort: {
    accepted: 't.no',
    date_created: 't.no',
    date_updated: 't.no',
    status: 't.status',
    completed_at: 't.completed_at',
    duration_ms: DURATION,
    cost: 't.cost',
  },
};

/** The messages that runs have logged. */
const logView: View = {
  resource: 'log entry',
  table: 'workflows.run_events',
  columns: [],
  computed: { timestamp: `t.data->'timestamp'`, level: `t.data->'level'`, message: `t.data->'message'` },
  search: [`t.data->>'message'`],
  key: 'seq',
  alive: `t.type = 'run.log'`,
};

/** The same of runs that have ended: one that has not is not found. */
const endedView: View = { ...runView, alive: 't.completed_at IS NOT NULL' };

/** The same with bodies in lists. */
const runWithBodies: View = { ...runView, bodies: BODIES };

/** Reads runs. */
@Injectable()
export class RunReader {
  constructor(private readonly db: Database) {}

  list(companyId: number, options: ListOptions, bodies: boolean): Promise<JsonText<Page<ListedWorkflowRun>>> {
    const sort = options.sort.replace(/^(-?)id$/, '$1accepted');
    return this.db.list<ListedWorkflowRun>(bodies ? runWithBodies : runView, companyId, { ...options, sort });
  }

  async get(companyId: number, id: string): Promise<JsonText<WorkflowRun>> {
    return (await this.db.readOne<WorkflowRun>(runView, companyId, id)) ?? missingRun();
  }

  /** A run that has ended; else null. */
  async findEnded(companyId: number, id: string): Promise<JsonText<WorkflowRun> | null> {
    return this.db.readOne<WorkflowRun>(endedView, companyId, id);
  }

  /** The run of a call with this id; null when there is none. */
  async findAccepted(companyId: number, id: string): Promise<{ mode: WorkflowRun['mode'] } | null> {
    const [run] = await this.db.select<{ mode: WorkflowRun['mode'] }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.mode FROM workflows.runs t
         WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
      [id],
    );
    return run ?? null;
  }

  /** One page of what the script of a run has logged, oldest first by default. */
  async logs(
    companyId: number,
    { run_id, sort, ...page }: ListOptions & { run_id: string },
  ): Promise<JsonText<Page<RunLogEntry>>> {
    if (!(await this.findAccepted(companyId, run_id))) missingRun();
    const filters = [{ sql: 't.run_id = ?::uuid', value: run_id }];
    // Chosen: `-id`, the default order of every list, means oldest first, as in timelines.
    const order = sort === '-date_created' || sort === '-date_updated' ? '-id' : 'id';
    return this.db.list<RunLogEntry>(logView, companyId, { ...page, sort: order, filters });
  }
}

/** 404 for a run. */
export function missingRun(): never {
  throw notFound('run');
}
