import { Injectable } from '@nestjs/common';
import { WithHeaders } from '@signalbox/bus';
import type { Caller, Invocation } from '@signalbox/contracts';
import { RunWaits } from '@signalbox/runs';
import {
  type EndedTask,
  invocationError,
  invocationHeaders,
  invocationOf,
  StartedTasks,
  stillRunning,
  Tasks,
  waitingInvocation,
} from '../tasks/index.js';
import type { Accepted } from './new-task.js';
import { InvokeLimit, replyMargin } from './task-settings.js';

@Injectable()
export class TaskAnswers {
  constructor(
    private readonly tasks: Tasks,
    private readonly waits: RunWaits,
    private readonly limit: InvokeLimit,
    private readonly started: StartedTasks,
  ) {}

  async reply(accepted: Accepted, caller: Caller, waits: boolean): Promise<Invocation> {
    const body = waits ? await this.answer(accepted, caller) : accepted;
    const headers = invocationHeaders({ id: accepted.task_id, session_id: accepted.session_id });
    // The bus removes the headers again; the contract declares only the body.
    return new WithHeaders(body, headers) as unknown as Invocation;
  }

  /** A task that waits for a callback has not ended. */
  ended(accepted: Accepted, caller: Caller): Promise<EndedTask> {
    return this.wait(accepted, caller, false);
  }

  private async wait(
    { task_id: id, session_id }: Accepted,
    { companyId, deadline }: Caller,
    orWaiting: boolean,
  ): Promise<EndedTask> {
    const until = Math.min(deadline - replyMargin, Date.now() + this.limit.ms);
    const read = (): Promise<EndedTask | null> => this.tasks.findEnded(companyId, id, orWaiting);
    const reply = this.started.replyOf(id);
    const find = (): Promise<EndedTask | null> => (reply ? reply.find(read) : read());
    try {
      const task = await (orWaiting
        ? this.waits.untilEndedOrWaiting(id, until, find)
        : this.waits.untilEnded(id, until, find));
      if (task) return task;
    } finally {
      this.started.forgetReply(id);
    }
    throw stillRunning({ id, session_id });
  }

  private async answer(accepted: Accepted, caller: Caller): Promise<Invocation> {
    const task = await this.wait(accepted, caller, true);
    if (task.status === 'WAITING_WEBHOOK') return waitingInvocation(task);
    if (task.status !== 'COMPLETED') throw invocationError(task);
    return invocationOf(task);
  }
}
