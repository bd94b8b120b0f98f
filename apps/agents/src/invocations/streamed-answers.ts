import { Injectable } from '@nestjs/common';
import { lineOf } from '@signalbox/bus';
import { type AnswerChunk, ApiError, type Caller } from '@signalbox/contracts';
import { invocationError, invocationHeaders, invocationOf, stillRunning, TaskRuns, Tasks } from '../tasks/index.js';
import { AppendOnlyText, type Delta } from './append-only-text.js';
import type { Accepted } from './new-task.js';
import { InvokeLimit, replyMargin } from './task-settings.js';

interface StreamCaller {
  caller: Caller;
  signal: AbortSignal;
}

/** For callers of chat completions, as append-only text. */
@Injectable()
export class StreamedAnswers {
  constructor(
    private readonly tasks: Tasks,
    private readonly runs: TaskRuns,
    private readonly limit: InvokeLimit,
  ) {}

  /** Lines of `AnswerChunk`; a disconnected client does not stop the task. */
  async *lines({ task_id, session_id }: Accepted, { caller, signal }: StreamCaller): AsyncGenerator<string> {
    const task = { id: task_id, session_id };
    const until = Math.min(caller.deadline - replyMargin, Date.now() + this.limit.ms);
    const text = new AppendOnlyText();
    for await (const { type, data } of this.runs.stream.follow(caller.companyId, task_id, until, signal)) {
      if (type === 'task.waiting') throw waitsForEvent(task);
      if (type !== 'message.delta') continue;
      const rest = text.add(data as unknown as Delta);
      if (rest === null) throw contradictedAnswer(task);
      if (rest !== '') yield lineOf({ text: rest } satisfies AnswerChunk);
    }
    if (signal.aborted) return;
    const ended = await this.tasks.findEnded(caller.companyId, task_id);
    if (!ended) throw stillRunning(task);
    if (ended.status !== 'COMPLETED') throw invocationError(ended);
    if (!text.isComplete) throw contradictedAnswer(task);
    yield lineOf({ result: invocationOf(ended) } satisfies AnswerChunk);
  }
}

type TaskIds = Parameters<typeof invocationHeaders>[0];

const waitsForEvent = (task: TaskIds): ApiError =>
  new ApiError('timeout', `the agent waits for an event in task ${task.id}`, { headers: invocationHeaders(task) });

const contradictedAnswer = (task: TaskIds): ApiError =>
  new ApiError('unavailable', `task ${task.id} was continued by another worker with a different answer`, {
    headers: invocationHeaders(task),
  });
