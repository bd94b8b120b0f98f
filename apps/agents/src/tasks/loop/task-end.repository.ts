import type { Invocation } from '@signalbox/contracts';
import { NOW_MS, type Tx } from '@signalbox/database';
import { tasksEnded } from '@signalbox/platform';
import { textOf } from '../model/final-answer.js';
import { type EndedTask, invocationOf } from '../submission/invocation.js';
import type { RunningTask } from './running-task.js';
import { move } from '../task.js';
import { wakeNext, wakeParent } from '../children/task-ancestors.repository.js';
import { TASK_RECORD, taskEmission, type TaskRecord } from '../task-log.repository.js';
import type { Answered, Failed, Outcome } from './task-outcome.js';
import { delta, type TaskEvent, undelivered } from '../streaming/delivered-text.js';

/** Ends a task within a transaction that has locked it. */
export async function endIn(tx: Tx, task: RunningTask, outcome: Outcome): Promise<TaskEvent[]> {
  const status = move(task, outcome.status === 'COMPLETED' ? 'complete' : 'fail');
  const failed = outcome.status === 'FAILED' ? outcome : null;
  const answered = outcome.status === 'COMPLETED' ? outcome : null;
  const rows = await tx.query<TaskRecord & Pick<EndedTask, 'output' | 'structured_output' | 'model'>>(
    `UPDATE agents.tasks t SET status = $3, completed_at = ${NOW_MS}, output = $4, structured_output = $5, model = $6,
       failure_class = $7, error_code = $8, error_message = $9
     WHERE t.company_id = $1 AND t.id = $2
     RETURNING ${TASK_RECORD}, t.output, t.structured_output, t.model`,
    [
      tx.companyId,
      task.id,
      status,
      answered ? JSON.stringify(answered.output) : null,
      answered ? JSON.stringify(answered.structured_output ?? null) : null,
      answered?.model ?? null,
      failed?.failure_class ?? null,
      failed?.error_code ?? null,
      failed?.error_message.slice(0, 4000) ?? null,
    ],
  );
  await wakeParent(tx, task.parent_task_id);
  await wakeNext(tx, task);
  tasksEnded.inc({ status, failure_class: failed?.failure_class ?? 'none' });
  const records = rows.map(({ output: _output, structured_output: _structured, model: _model, ...record }) => record);
  tx.emit(...taskEmission(failed ? 'agent_task.failed' : 'agent_task.completed', records));
  if (failed) return tellFailed(failed);
  const [row] = rows;
  const result: Invocation = row ? invocationOf(row) : { task_id: task.id, session_id: task.session_id };
  return [
    ...(answered ? answerTold(answered) : []),
    { event: { type: 'task.completed', data: { result } }, timeline: { type: 'task_end', data: { status } } },
    // Whatever gave the answer: a reader of the conversation finds it last.
    { timeline: { type: 'message', data: { role: 'assistant', content: answered?.output.content ?? '' } } },
  ];
}

function tellFailed({ failure_class, error_code, error_message: message }: Failed): TaskEvent[] {
  return [
    {
      event: { type: 'task.failed', data: { failure_class, error_code, message } },
      timeline: { type: 'error', data: { message, failure_class } },
    },
    { timeline: { type: 'task_end', data: { status: 'FAILED' } } },
  ];
}

/** What clients have not heard of the answer; an answer without words is told as such. */
function answerTold({ output, step, told }: Answered): TaskEvent[] {
  const text = textOf(output);
  return text === '' && !told?.stale && !told?.text ? [delta('', step, false)] : undelivered(text, step, told);
}
