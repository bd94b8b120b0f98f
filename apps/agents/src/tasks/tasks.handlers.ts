import { Serves } from '@signalbox/bus';
import {
  type Caller,
  type CallTo,
  type Handlers,
  type Invocation,
  invalidField,
  type StreamPart,
  type Task,
  type JsonText,
  tasks,
} from '@signalbox/contracts';
import { TaskAnswers } from './submission/task-answers.js';
import { taskFilters } from './task-filters.js';
import { TaskSubmission } from './submission/task-submission.js';
import { liveSubject, TaskNotifications } from './streaming/task-notifications.js';
import { replyMargin } from './submission/task-settings.js';
import { TaskWaits } from './task-waits.js';
import { TaskCancels } from './task-cancels.repository.js';
import { StreamSubscribers } from './streaming/stream-subscribers.js';
import { Tasks } from './tasks.repository.js';
import { Timeline } from './timeline.repository.js';

type C = typeof tasks;

const STREAM_PART = 1000;

/** Tasks of agents. */
@Serves(tasks)
export class TaskHandlers implements Handlers<C> {
  constructor(
    private readonly tasks: Tasks,
    private readonly timeline: Timeline,
    private readonly intake: TaskSubmission,
    private readonly waits: TaskWaits,
    private readonly news: TaskNotifications,
    private readonly answers: TaskAnswers,
    private readonly cancels: TaskCancels,
    private readonly followers: StreamSubscribers,
  ) {}

  async invokeAgent({ input, caller }: CallTo<C, 'invokeAgent'>): Promise<Invocation> {
    const accepted = await this.intake.accept(input, caller);
    return this.answers.reply(accepted, caller, input.wait && !input.stream);
  }

  async listTasks({ input, caller }: CallTo<C, 'listTasks'>) {
    await this.tasks.agentOf(caller.companyId, input.agent_id);
    return this.listAllTasks({ input, caller });
  }

  listAllTasks({ input, caller }: CallTo<C, 'listAllTasks'>) {
    const { include_body = false } = input;
    return this.tasks.list(caller.companyId, { ...input, filters: taskFilters(input) }, include_body);
  }

  getTask({ input: { agent_id, task_id, wait_seconds }, caller }: CallTo<C, 'getTask'>): Promise<JsonText<Task>> {
    return this.find(agent_id, task_id, wait_seconds, caller);
  }

  getAnyTask({ input: { task_id, wait_seconds }, caller }: CallTo<C, 'getAnyTask'>): Promise<JsonText<Task>> {
    return this.find(null, task_id, wait_seconds, caller);
  }

  private async find(agent_id: number | null, task_id: string, wait_seconds: number, caller: Caller) {
    const { ended } = await this.tasks.require(caller.companyId, agent_id, task_id);
    if (!ended && wait_seconds > 0) {
      const until = Math.min(caller.deadline - replyMargin, Date.now() + wait_seconds * 1000);
      await this.waits.untilEnded(caller.companyId, task_id, until);
    }
    return this.tasks.get(caller.companyId, agent_id, task_id);
  }

  async listTaskTimeline({ input, caller }: CallTo<C, 'listTaskTimeline'>) {
    await this.tasks.require(caller.companyId, input.agent_id, input.task_id);
    return this.timeline.ofTask(caller.companyId, input.task_id, input, input.include_children ?? false);
  }

  async streamTask({ input, caller }: CallTo<C, 'streamTask'>): Promise<StreamPart> {
    const { agent_id, task_id, last_event_id: last } = input;
    const { ended, last_seq } = await this.tasks.require(caller.companyId, agent_id, task_id);
    if (last > last_seq) throw invalidField('last_event_id', `must not be above ${last_seq}, the last event`);
    if (!ended) this.followers.follow(task_id);
    const events = await this.tasks.eventsAfter(caller.companyId, task_id, last, STREAM_PART);
    const complete = (events.at(-1)?.seq ?? last) >= last_seq;
    return { events, ended: ended && complete, subject: liveSubject(task_id) };
  }

  async cancelTask({ input, caller }: CallTo<C, 'cancelTask'>): Promise<JsonText<Task>> {
    const { task, told } = await this.cancels.cancel(caller, input.agent_id, input.task_id);
    for (const { id, events } of told) this.news.publish(id, events);
    return task;
  }
}
