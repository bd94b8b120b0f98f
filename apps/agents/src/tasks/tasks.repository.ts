import { Injectable } from '@nestjs/common';
import { JsonText, type ListedTask, notFound, type OnOff, type Page, type Task } from '@signalbox/contracts';
import { Database, type ListOptions, type View } from '@signalbox/database';
import type { EndedTask } from './submission/invocation.js';
import { TaskRuns } from './task-runs.repository.js';
import { USAGE } from './task-record.js';

const DURATION = 't.completed_at - t.started_at';

/** The beginning of the first user message. */
const FIRST_MESSAGE = `(SELECT left(CASE jsonb_typeof(e.m->'content')
    WHEN 'string' THEN e.m->>'content'
    WHEN 'array' THEN (SELECT p->>'text' FROM jsonb_array_elements(e.m->'content') p WHERE p->>'type' = 'text' LIMIT 1)
  END, 200)
  FROM jsonb_array_elements(t.input_messages) WITH ORDINALITY e(m, n) ORDER BY (e.m->>'role' = 'user') DESC, e.n LIMIT 1)`;

const WAITING = `CASE WHEN t.status = 'WAITING_WEBHOOK' THEN json_build_object(
  'action_name', (SELECT w.data->>'action_name' FROM agents.task_timeline w WHERE w.company_id = t.company_id
    AND w.task_id = t.id AND w.type = 'waiting_webhook' ORDER BY w.no DESC LIMIT 1),
  'hook_expires_at', t.hook_expires_at) END`;

const BODIES = {
  input_messages: 't.input_messages',
  output: 't.output',
  structured_output: 't.structured_output',
};

/** The view of a task; lists leave its bodies out. */
export const taskView: View = {
  resource: 'task',
  table: 'agents.tasks',
  keyType: 'uuid',
  alive: 'true',
  columns: [
    'id',
    'agent_id',
    'parent_task_id',
    'session_id',
    'status',
    'version',
    'release',
    'iterations',
    'failure_class',
    'error_code',
    'error_message',
    'started_at',
    'completed_at',
    'trigger',
    'metadata',
    'date_created',
  ],
  computed: {
    usage: USAGE,
    cost: 't.cost',
    duration_ms: DURATION,
    first_message: FIRST_MESSAGE,
    waiting: WAITING,
  },
  detail: BODIES,
  search: ['t.session_id', 't.id::text', 't.error_message'],
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

/** The same with bodies in lists. */
const taskWithBodies: View = { ...taskView, bodies: BODIES };

const ENDED = `t.id, t.session_id, t.status, t.output, t.structured_output, t.model, ${USAGE} AS usage, t.failure_class,
  t.error_code, t.error_message, t.completed_at, t.hook_expires_at`;

/**
 * Reads tasks and their outcomes.
 *
 * SQL: lists leave bodies out and compute first message, cost and waiting in the read.
 */
@Injectable()
export class Tasks {
  constructor(
    private readonly db: Database,
    private readonly runs: TaskRuns,
  ) {}

  /** Status and application of an agent; 404 when it does not exist. */
  async agentOf(companyId: number, agentId: number): Promise<{ status: OnOff; application_id: number | null }> {
    const [agent] = await this.db.select<{ status: OnOff; application_id: number | null }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.status, t.application_id FROM agents.agents t
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
      [agentId],
    );
    if (!agent) throw notFound('agent');
    return agent;
  }

  list(companyId: number, options: ListOptions, bodies: boolean): Promise<JsonText<Page<ListedTask>>> {
    const sort = options.sort.replace(/^(-?)id$/, '$1accepted');
    return this.db.list<ListedTask>(bodies ? taskWithBodies : taskView, companyId, { ...options, sort });
  }

  /** A task of the agent, or of any agent when none is named. */
  async get(companyId: number, agentId: number | null, id: string): Promise<JsonText<Task>> {
    await this.runs.reads.require(companyId, id, { agent_id: agentId });
    const task = await this.db.readOne<Task>(taskView, companyId, id);
    return task ?? missingTask();
  }

  /** The system prompt that a task was run with. */
  async systemPromptOf(companyId: number, id: string): Promise<string | null> {
    const [task] = await this.db.select<{ system_prompt: string | null }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.snapshot->>'system_prompt' AS system_prompt FROM agents.tasks t
         WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
      [id],
    );
    return task ? task.system_prompt : missingTask();
  }

  /** A task that has ended or waits for a callback; else null. */
  async findEnded(companyId: number, id: string, orWaiting = false): Promise<EndedTask | null> {
    const [task] = await this.db.select<EndedTask>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${ENDED} FROM agents.tasks t
         WHERE t.company_id = s.company AND t.id = $2
           AND (t.completed_at IS NOT NULL OR ($3 AND t.status = 'WAITING_WEBHOOK')) OFFSET 0) x`,
      [id, orWaiting],
    );
    return task ?? null;
  }

  /** The child task of a step; null before it is started. */
  async findChild(companyId: number, parentId: string, step: number): Promise<EndedTask | null> {
    const [child] = await this.db.select<EndedTask>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${ENDED} FROM agents.tasks t
         WHERE t.company_id = s.company AND t.parent_task_id = $2 AND t.parent_step = $3 OFFSET 0) x`,
      [parentId, step],
    );
    return child ?? null;
  }

  /** The task and session of a call with this id; null when there is none. */
  async findAccepted(companyId: number, id: string): Promise<{ task_id: string; session_id: string } | null> {
    const [task] = await this.db.select<{ task_id: string; session_id: string }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id AS task_id, t.session_id FROM agents.tasks t
         WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
      [id],
    );
    return task ?? null;
  }
}

/** 404 for a task. */
export function missingTask(): never {
  throw notFound('task');
}
