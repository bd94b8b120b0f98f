import { Injectable } from '@nestjs/common';
import { notFound } from '@signalbox/contracts';
import { Database, NOW_MS, type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { isTerminal, move } from '../tasks/task.js';
import { resumeAncestors, waitWith } from '../tasks/children/task-ancestors.repository.js';
import { TASK_RECORD, taskEmission, type TaskRecord } from '../tasks/task-log.repository.js';
import { endIn } from '../tasks/loop/task-end.repository.js';
import { type FamilyChange, TaskEndedError, TaskWrites } from '../tasks/task-writes.repository.js';
import { hashOfKey, sealPayload } from './hook-key.js';

/** Kind of the work that is the end of a hook's life, `<task id>/<step>`. */
export const HOOK_WORK = 'agent_hook';

/** Where a hook belongs. */
export interface FoundHook {
  company_id: number;
  task_id: string;
  hook_hash: string;
  /** Kind of the work that continues the task. */
  work_kind: string;
}

/** What a callback brought. */
export interface HookAnswer {
  hook_hash: string;
  payload: string;
  sealed: boolean;
}

/** What the timeline says of a task that begins to wait. */
export interface WaitingAction {
  action_id: number;
  action_name: string;
}

const EXPIRED = {
  status: 'FAILED',
  failure_class: 'timeout',
  error_code: 'webhook_ttl',
  error_message: 'nobody called back in time',
} as const;

function gone(): never {
  throw notFound('hook');
}

/** Hooks on which tasks wait. */
@Injectable()
export class Hooks {
  constructor(
    private readonly db: Database,
    private readonly writes: TaskWrites,
  ) {}

  /**
   * Makes a hook before its URL goes anywhere, and with it the timer that ends its life; answers what an earlier hook of
   * the step has brought already.
   */
  async open(job: Job, step: number, hash: string, ttlMs: number): Promise<HookAnswer | null> {
    let answer: HookAnswer | null = null;
    await this.writes.fenced(job, job.ref, async (tx, task) => {
      answer = await answerOf(tx, task.id, step);
      if (answer) return [];
      await tx.query(
        `INSERT INTO agents.task_hooks (company_id, hook_hash, task_id, step_no, work_kind, expires_at)
         VALUES ($1, $2, $3, $4, $5, ${NOW_MS} + $6::bigint)`,
        [tx.companyId, hash, task.id, step, job.kind, ttlMs],
      );
      tx.addWork(HOOK_WORK, `${task.id}/${step}`, ttlMs);
      return [];
    });
    return answer;
  }

  /** The task waits from now on, and all above it, unless the callback was faster: then what it brought. */
  async wait(job: Job, step: number, action: WaitingAction): Promise<HookAnswer | null> {
    let answer: HookAnswer | null = null;
    const begin: FamilyChange = async (tx, task, above, told) => {
      answer = await answerOf(tx, task.id, step);
      if (answer) return [];
      const status = move(task, 'wait');
      const rows = await tx.query<TaskRecord & { hook_expires_at: number }>(
        `UPDATE agents.tasks t SET status = $3, hook_expires_at = (SELECT max(h.expires_at) FROM agents.task_hooks h
           WHERE h.company_id = t.company_id AND h.task_id = t.id AND h.step_no = $4)
         WHERE t.company_id = $1 AND t.id = $2 RETURNING ${TASK_RECORD}, t.hook_expires_at`,
        [tx.companyId, task.id, status, step],
      );
      const until = { hook_expires_at: rows[0]?.hook_expires_at };
      tx.emit(
        ...taskEmission(
          'agent_task.waiting',
          rows.map(({ hook_expires_at: _until, ...record }) => record),
        ),
      );
      told.push(...(await waitWith(tx, above, task.id, until.hook_expires_at)));
      return [
        {
          event: { type: 'task.waiting', data: until },
          timeline: { type: 'waiting_webhook', data: { ...action, ...until } },
        },
      ];
    };
    await this.writes.family(job.companyId, job.ref, begin, { job });
    return answer;
  }

  /** What a callback for a step brought, null while there was none. */
  async find(job: Job, step: number): Promise<HookAnswer | null> {
    const [answer] = await this.db.select<HookAnswer>(
      job.companyId,
      `SELECT x.* FROM s, LATERAL (SELECT h.hook_hash, h.payload, h.sealed FROM agents.task_hooks h
         WHERE h.company_id = s.company AND h.task_id = $2 AND h.step_no = $3 AND h.answered_at IS NOT NULL OFFSET 0) x`,
      [job.ref, step],
    );
    return answer ?? null;
  }

  /** The hook of a key; 404 when there is none. */
  async get(key: string): Promise<FoundHook> {
    const hash = hashOfKey(key);
    const [found] = hash
      ? await this.db.asWorker<FoundHook>(
          'SELECT company_id, task_id, hook_hash, work_kind FROM agents.task_hooks WHERE hook_hash = $1',
          [hash],
        )
      : [];
    return found ?? gone();
  }

  /** Refuses with 404 when the task of a hook has ended. */
  async requireOpen({ company_id, task_id }: FoundHook): Promise<void> {
    const open = await this.db.select(
      company_id,
      `SELECT x.* FROM s, LATERAL (SELECT 1 FROM agents.tasks t
         WHERE t.company_id = s.company AND t.id = $2 AND t.completed_at IS NULL OFFSET 0) x`,
      [task_id],
    );
    if (open.length === 0) gone();
  }

  /** Takes a callback: once for each step, while the hook lives and its task has not ended; 404 otherwise. */
  async answer({ company_id, task_id, hook_hash }: FoundHook, key: string, payload: string): Promise<void> {
    try {
      await this.writes.family(company_id, task_id, async (tx, task, above) => {
        const text = task.has_secrets ? sealPayload(key, payload) : payload;
        const [hook] = await tx.query<{ work_kind: string }>(
          `UPDATE agents.task_hooks h SET answered_at = ${NOW_MS}, payload = $3, sealed = $4
           WHERE h.company_id = $1 AND h.hook_hash = $2 AND h.expires_at > ${NOW_MS} AND NOT EXISTS (
             SELECT 1 FROM agents.task_hooks o WHERE o.company_id = $1 AND o.task_id = h.task_id
               AND o.step_no = h.step_no AND o.answered_at IS NOT NULL)
           RETURNING h.work_kind`,
          [tx.companyId, hook_hash, text, task.has_secrets],
        );
        if (!hook) gone();
        // The worker is still busy with the call that told of the hook: it finds the answer when it is done.
        if (task.status === 'RUNNING') return [];
        await tx.query(
          `UPDATE agents.tasks SET status = $3, hook_expires_at = NULL, active_since = ${NOW_MS}
           WHERE company_id = $1 AND id = $2`,
          [tx.companyId, task.id, move(task, 'resume')],
        );
        await resumeAncestors(tx, above);
        tx.addWork(hook.work_kind, task.id);
        return [];
      });
    } catch (error) {
      if (error instanceof TaskEndedError) gone();
      throw error;
    }
  }

  /** A task that still waits on an expired hook fails; returns how many ms are left of a hook that has not expired. */
  async expire(job: Job): Promise<number | null> {
    const [taskId = '', step = ''] = job.ref.split('/');
    let leftMs: number | null = null;
    await this.writes.family(
      job.companyId,
      taskId,
      async (tx, task, above) => {
        const which = [tx.companyId, taskId, Number(step)];
        const [left] = await tx.query<{ answered: boolean; ms: number }>(
          `SELECT bool_or(answered_at IS NOT NULL) AS answered, max(expires_at) - ${NOW_MS} AS ms
           FROM agents.task_hooks WHERE company_id = $1 AND task_id = $2 AND step_no = $3 HAVING count(*) > 0`,
          which,
        );
        if (left?.answered && !isTerminal(task.status)) return [];
        if (left && left.ms > 0 && !isTerminal(task.status)) leftMs = left.ms;
        if (leftMs !== null) return [];
        const dropped = await tx.query(
          'DELETE FROM agents.task_hooks WHERE company_id = $1 AND task_id = $2 AND step_no = $3 RETURNING 1',
          which,
        );
        if (dropped.length === 0 || task.status !== 'WAITING_WEBHOOK') return [];
        await resumeAncestors(tx, above);
        return endIn(tx, task, EXPIRED);
      },
      { job, evenEnded: true },
    );
    return leftMs;
  }
}

async function answerOf(tx: Tx, taskId: string, step: number): Promise<HookAnswer | null> {
  const [answer] = await tx.query<HookAnswer>(
    `SELECT hook_hash, payload, sealed FROM agents.task_hooks
     WHERE company_id = $1 AND task_id = $2 AND step_no = $3 AND answered_at IS NOT NULL`,
    [tx.companyId, taskId, step],
  );
  return answer ?? null;
}
