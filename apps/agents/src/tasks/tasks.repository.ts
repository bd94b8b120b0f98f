import { Injectable } from '@nestjs/common';
import {
  JsonText,
  notFound,
  type OnOff,
  type Page,
  type StreamEvent,
  type Task,
  type TaskStatus,
} from '@signalbox/contracts';
import { Database, type ListOptions, type View } from '@signalbox/database';
import { isTerminal } from './task.js';

/** Tokens and cost of a task. */
export const USAGE = `json_build_object('prompt_tokens', t.prompt_tokens, 'completion_tokens', t.completion_tokens,
  'total_tokens', t.total_tokens, 'cost', t.cost)`;

/** A task as its callers see it. */
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
    'input_messages',
    'output',
    'structured_output',
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
  computed: { usage: USAGE, duration_ms: 't.completed_at - t.started_at' },
  search: ['t.session_id', 't.id::text', 't.error_message'],
  // Ids are random; the order of acceptance stands in for them.
  sort: {
    accepted: 't.no',
    date_created: 't.no',
    date_updated: 't.no',
    status: 't.status',
    completed_at: 't.completed_at',
  },
};

/** Rows of tasks as their callers see them. */
@Injectable()
export class Tasks {
  constructor(private readonly db: Database) {}

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

  list(companyId: number, options: ListOptions): Promise<JsonText<Page<Task>>> {
    const sort = options.sort.replace(/^(-?)id$/, '$1accepted');
    return this.db.list<Task>(taskView, companyId, { ...options, sort });
  }

  async get(companyId: number, agentId: number, id: string): Promise<JsonText<Task>> {
    await this.require(companyId, agentId, id);
    const task = await this.db.readOne<Task>(taskView, companyId, id);
    return task ?? missingTask();
  }

  /** Status and last event of a task of the agent; 404 when there is none. */
  async require(companyId: number, agentId: number, id: string): Promise<{ ended: boolean; last_seq: number }> {
    const [task] = await this.db.select<{ status: TaskStatus; last_seq: number }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.status, t.last_seq FROM agents.tasks t
         WHERE t.company_id = s.company AND t.id = $2 AND t.agent_id = $3 OFFSET 0) x`,
      [id, agentId],
    );
    if (!task) missingTask();
    return { ended: isTerminal(task.status), last_seq: task.last_seq };
  }

  /** Events of a task after a sequence number. */
  async eventsAfter(companyId: number, id: string, seq: number, limit: number): Promise<StreamEvent[]> {
    return this.db.select<StreamEvent>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.seq, t.type, t.data FROM agents.task_events t
         WHERE t.company_id = s.company AND t.task_id = $2 AND t.seq > $3 ORDER BY t.seq LIMIT $4 OFFSET 0) x ORDER BY x.seq`,
      [id, seq, limit],
    );
  }
}

/** A task of the caller's that is not there. */
export function missingTask(): never {
  throw notFound('task');
}
