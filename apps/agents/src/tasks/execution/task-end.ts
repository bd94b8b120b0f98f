import type { Usage } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { cutText } from '@signalbox/runs';
import type { ColumnValues, RunEvent, StatementPart } from '@signalbox/runs';
import { textOf } from '../model/final-answer.js';
import { delta, undelivered } from '../../models/index.js';
import { type EndedTask, invocationOf } from './invocation.js';
import type { TaskRuns } from '../task-runs.repository.js';
import type { LockedTask } from './running-task.js';
import type { CompletedOutcome, FailedOutcome, Outcome } from './task-outcome.js';

const MAX_MESSAGE = 4000;

/** What is written of a task's last step, in one statement with its end. */
export interface StepWrites {
  log: readonly RunEvent[];
  /** Changed columns of the task. */
  values: ColumnValues;
  parts: readonly StatementPart[];
  /** The usage of the task including the step. */
  usage: Usage;
}

/** An end without a step, after some events. */
export const withoutStep = ({ usage }: LockedTask, log: readonly RunEvent[] = []): StepWrites => ({
  log,
  values: {},
  parts: [],
  usage,
});

/** Ends a task within a transaction that has locked it; returns it as it has ended. */
export async function endIn(
  runs: TaskRuns,
  tx: Tx,
  task: LockedTask,
  outcome: Outcome,
  step: StepWrites = withoutStep(task),
): Promise<EndedTask> {
  const isAnswer = outcome.status === 'COMPLETED';
  const ended = isAnswer ? completed(task, outcome, step.usage) : failed(task, outcome, step.usage);
  const log = isAnswer ? completedLog(outcome, ended) : failedLog(outcome, ended);
  await runs.writes.move(
    tx,
    task,
    isAnswer ? 'complete' : 'fail',
    { ...step.values, completed_at: task.now, ...(isAnswer ? answerColumns(outcome) : failureColumns(ended)) },
    { log: [...step.log, ...log], parts: step.parts },
  );
  return ended;
}

const answerColumns = ({ output, structured_output, model }: CompletedOutcome): ColumnValues => ({
  output: JSON.stringify(output),
  structured_output: JSON.stringify(structured_output ?? null),
  model,
});

const failureColumns = ({ failure_class, error_code, error_message }: EndedTask): ColumnValues => ({
  failure_class,
  error_code,
  error_message,
});

function completed(task: LockedTask, { output, structured_output, model }: CompletedOutcome, usage: Usage): EndedTask {
  const { id, session_id, now } = task;
  const answer = { status: 'COMPLETED' as const, output, structured_output: structured_output ?? null, model };
  const failure = { failure_class: null, error_code: null, error_message: null };
  return { id, session_id, ...answer, usage, ...failure, completed_at: now };
}

function failed(
  task: LockedTask,
  { failure_class, error_code, error_message }: FailedOutcome,
  usage: Usage,
): EndedTask {
  const { id, session_id, now } = task;
  const failure = { failure_class, error_code, error_message: cutText(error_message, MAX_MESSAGE) };
  const answer = { status: 'FAILED' as const, output: null, structured_output: null, model: null };
  return { id, session_id, ...answer, usage, ...failure, completed_at: now };
}

const completedLog = (answered: CompletedOutcome, ended: EndedTask): RunEvent[] => [
  ...undeliveredAnswer(answered),
  {
    event: { type: 'task.completed', data: { result: invocationOf(ended) } },
    timeline: { type: 'task_end', data: { status: ended.status } },
  },
  // The answer is the last message of the timeline, also when no model gave it.
  { timeline: { type: 'message', data: { role: 'assistant', content: answered.output.content ?? '' } } },
];

const failedLog = (
  { failure_class, error_code, error_message: message }: FailedOutcome,
  ended: EndedTask,
): RunEvent[] => [
  {
    event: { type: 'task.failed', data: { failure_class, error_code, message } },
    timeline: { type: 'error', data: { message, failure_class } },
  },
  { timeline: { type: 'task_end', data: { status: ended.status } } },
];

/** The deltas of the answer that clients have not received; an answer without text has one empty delta. */
function undeliveredAnswer({ output, step, delivered }: CompletedOutcome): RunEvent[] {
  const text = textOf(output);
  return text === '' && !delivered?.stale && !delivered?.text
    ? [delta('', step, false)]
    : undelivered(text, step, delivered);
}
