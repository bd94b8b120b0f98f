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

  async ended({ task_id: id, session_id }: Accepted, { companyId, deadline }: Caller): Promise<EndedTask> {
    const until = Math.min(deadline - replyMargin, Date.now() + this.limit.ms);
    const read = (): Promise<EndedTask | null> => this.tasks.findEnded(companyId, id, true);
    const reply = this.started.replyOf(id);
    try {
      const task = await this.waits.untilEndedOrWaiting(id, until, () => (reply ? reply.find(read) : read()));
      if (task) return task;
    } finally {
      this.started.forgetReply(id);
    }
    throw stillRunning({ id, session_id });
  }

  private async answer(accepted: Accepted, caller: Caller): Promise<Invocation> {
    const task = await this.ended(accepted, caller);
    if (task.status === 'WAITING_WEBHOOK') return waitingInvocation(task);
    if (task.status !== 'COMPLETED') throw invocationError(task);
    return invocationOf(task);
  }
}
