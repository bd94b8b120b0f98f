import type { Invocation } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import type { RunEvent } from '@signalbox/runs';
import { textOf } from '../model/final-answer.js';
import { delta, undelivered } from '../streaming/delivered-text.js';
import { invocationOf } from '../submission/invocation.js';
import type { TaskRuns } from '../task-runs.repository.js';
import type { LockedTask } from './running-task.js';
import type { CompletedOutcome, FailedOutcome, Outcome } from './task-outcome.js';

/** Ends a task within a transaction that has locked it. */
export function endIn(runs: TaskRuns, tx: Tx, task: LockedTask, outcome: Outcome): Promise<RunEvent[]> {
  return outcome.status === 'COMPLETED' ? complete(runs, tx, task, outcome) : fail(runs, tx, task, outcome);
}

async function complete(runs: TaskRuns, tx: Tx, task: LockedTask, answered: CompletedOutcome): Promise<RunEvent[]> {
  const { output, structured_output, model } = answered;
  const { status, record } = await runs.writes.move(tx, task, 'complete', {
    output: JSON.stringify(output),
    structured_output: JSON.stringify(structured_output ?? null),
    model,
  });
  const result: Invocation = invocationOf({ ...record, output, structured_output, model });
  return [
    ...undeliveredAnswer(answered),
    { event: { type: 'task.completed', data: { result } }, timeline: { type: 'task_end', data: { status } } },
    // The answer is the last message of the timeline, also when no model gave it.
    { timeline: { type: 'message', data: { role: 'assistant', content: output.content ?? '' } } },
  ];
}

async function fail(runs: TaskRuns, tx: Tx, task: LockedTask, failed: FailedOutcome): Promise<RunEvent[]> {
  const { failure_class, error_code, error_message: message } = failed;
  const { status } = await runs.writes.move(tx, task, 'fail', {
    failure_class,
    error_code,
    error_message: message.slice(0, 4000),
  });
  return [
    {
      event: { type: 'task.failed', data: { failure_class, error_code, message } },
      timeline: { type: 'error', data: { message, failure_class } },
    },
    { timeline: { type: 'task_end', data: { status } } },
  ];
}

/** The deltas of the answer that clients have not received; an answer without text has one empty delta. */
function undeliveredAnswer({ output, step, delivered }: CompletedOutcome): RunEvent[] {
  const text = textOf(output);
  return text === '' && !delivered?.stale && !delivered?.text
    ? [delta('', step, false)]
    : undelivered(text, step, delivered);
}
