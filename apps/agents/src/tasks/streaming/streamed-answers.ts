import { Injectable } from '@nestjs/common';
import { lineOf } from '@signalbox/bus';
import { type AnswerChunk, ApiError, type Caller, type StreamEvent } from '@signalbox/contracts';
import { StreamSubscribers } from './stream-subscribers.js';
import { invocationError, invocationHeaders, invocationOf, stillRunning } from '../submission/invocation.js';
import { type Delta, AppendOnlyText } from './append-only-text.js';
import type { Accepted } from '../submission/task-submission.repository.js';
import { TaskEndings } from '../task-endings.repository.js';
import { TaskNotifications } from './task-notifications.js';
import { InvokeLimit, replyMargin } from '../submission/task-settings.js';
import { Tasks } from '../tasks.repository.js';

const POLL_MS = 1500;
const PART = 200;

/** Who waits for an answer, and since when nobody does. */
interface Waiting {
  caller: Caller;
  signal: AbortSignal;
}

/** Answers of tasks as text that grows, for callers who know chat completions and nothing of tasks. */
@Injectable()
export class StreamedAnswers {
  constructor(
    private readonly tasks: Tasks,
    private readonly endings: TaskEndings,
    private readonly news: TaskNotifications,
    private readonly followers: StreamSubscribers,
    private readonly limit: InvokeLimit,
  ) {}

  /** The answer of a task as lines of `AnswerPiece`; whoever leaves does not stop the task. */
  async *lines({ task_id, session_id }: Accepted, { caller, signal }: Waiting): AsyncGenerator<string> {
    const task = { id: task_id, session_id };
    const until = Math.min(caller.deadline - replyMargin, Date.now() + this.limit.ms);
    const text = new AppendOnlyText();
    for await (const { type, data } of this.events(caller.companyId, task_id, until, signal)) {
      if (type === 'task.waiting') throw waits(task);
      if (type !== 'message.delta') continue;
      const rest = text.add(data as unknown as Delta);
      if (rest === null) throw brokenOff(task);
      if (rest !== '') yield lineOf({ text: rest } satisfies AnswerChunk);
    }
    if (signal.aborted) return;
    const ended = await this.endings.findEnded(caller.companyId, task_id);
    if (!ended) throw stillRunning(task);
    if (ended.status !== 'COMPLETED') throw invocationError(ended);
    if (!text.isWhole) throw brokenOff(task);
    yield lineOf({ result: invocationOf(ended) } satisfies AnswerChunk);
  }

  /** What happens in a task, to its end or until nobody waits any more. */
  private async *events(companyId: number, taskId: string, until: number, signal: AbortSignal) {
    const bell = new Bell();
    const stop = this.news.onEvent(taskId, () => bell.ring());
    signal.addEventListener('abort', () => bell.ring(), { once: true });
    try {
      for (let seq = 0; !signal.aborted && Date.now() < until;) {
        this.followers.follow(taskId);
        const events: StreamEvent[] = await this.tasks.eventsAfter(companyId, taskId, seq, PART);
        for (const event of events) {
          seq = event.seq;
          yield event;
          if (/^task\.(completed|failed|cancelled)$/.test(event.type)) return;
        }
        if (events.length === 0) await bell.wait(Math.min(POLL_MS, until - Date.now()));
      }
    } finally {
      stop();
    }
  }
}

/** Rung before or while somebody waits for it. */
class Bell {
  private rung = false;
  private wake: () => void = () => undefined;

  ring(): void {
    this.rung = true;
    this.wake();
  }

  async wait(ms: number): Promise<void> {
    if (!this.rung)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.rung = false;
  }
}

type Named = Parameters<typeof invocationHeaders>[0];

const waits = (task: Named): ApiError =>
  new ApiError('timeout', `the agent waits for an event in task ${task.id}`, { headers: invocationHeaders(task) });

/** Another worker made the answer anew, and it is not the one that was heard. */
const brokenOff = (task: Named): ApiError =>
  new ApiError('unavailable', `task ${task.id} was taken up again and answers otherwise`, {
    headers: invocationHeaders(task),
  });
