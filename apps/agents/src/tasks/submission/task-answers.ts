import { Injectable } from '@nestjs/common';
import { WithHeaders } from '@signalbox/bus';
import type { Caller, Invocation } from '@signalbox/contracts';
import { RunWaits } from '@signalbox/runs';
import { Tasks } from '../tasks.repository.js';
import {
  type EndedTask,
  invocationError,
  invocationHeaders,
  invocationOf,
  stillRunning,
  waitingInvocation,
} from './invocation.js';
import type { Accepted } from './new-task.js';
import { InvokeLimit, replyMargin } from './task-settings.js';

/** Replies to invocations. */
@Injectable()
export class TaskAnswers {
  constructor(
    private readonly tasks: Tasks,
    private readonly waits: RunWaits,
    private readonly limit: InvokeLimit,
  ) {}

  /** The reply of an accepted task: its answer when the caller waits for it. */
  async reply(accepted: Accepted, caller: Caller, waits: boolean): Promise<Invocation> {
    const body = waits ? await this.answer(accepted, caller) : accepted;
    const headers = invocationHeaders({ id: accepted.task_id, session_id: accepted.session_id });
    // The bus removes the headers again; the contract declares only the body.
    return new WithHeaders(body, headers) as unknown as Invocation;
  }

  /** Waits for the end of an accepted task, or until it waits for a callback. */
  async ended({ task_id: id, session_id }: Accepted, { companyId, deadline }: Caller): Promise<EndedTask> {
    const until = Math.min(deadline - replyMargin, Date.now() + this.limit.ms);
    const task = await this.waits.untilEndedOrWaiting(id, until, () => this.tasks.findEnded(companyId, id, true));
    if (!task) throw stillRunning({ id, session_id });
    return task;
  }

  private async answer(accepted: Accepted, caller: Caller): Promise<Invocation> {
    const task = await this.ended(accepted, caller);
    if (task.status === 'WAITING_WEBHOOK') return waitingInvocation(task);
    if (task.status !== 'COMPLETED') throw invocationError(task);
    return invocationOf(task);
  }
}
