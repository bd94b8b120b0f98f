import { Serves } from '@signalbox/bus';
import {
  type Caller,
  type CallTo,
  type Handlers,
  type Invocation,
  type StreamPart,
  type Task,
  type JsonText,
  tasks,
} from '@signalbox/contracts';
import { runFiltersOf, type Tx } from '@signalbox/database';
import { RunWaits } from '@signalbox/runs';
import { hasNoDraft } from '../drafts/index.js';
import { TaskAnswers } from './task-answers.js';
import { replyMargin } from './task-settings.js';
import { TaskSubmission } from './task-submission.js';
import { missingTask, TaskRuns, Tasks, taskView } from '../tasks/index.js';

type C = typeof tasks;

@Serves(tasks)
export class TaskHandlers implements Handlers<C> {
  constructor(
    private readonly tasks: Tasks,
    private readonly runs: TaskRuns,
    private readonly submission: TaskSubmission,
    private readonly waits: RunWaits,
    private readonly answers: TaskAnswers,
  ) {}

  async invokeAgent({ input, caller }: CallTo<C, 'invokeAgent'>): Promise<Invocation> {
    const accepted = await this.submission.accept(input, caller, caller.via);
    return this.answers.reply(accepted, caller, input.wait && !input.stream);
  }

  async listTasks({ input, caller }: CallTo<C, 'listTasks'>) {
    await this.tasks.agentOf(caller.companyId, input.agent_id);
    return this.listAllTasks({ input, caller });
  }

  listAllTasks({ input, caller }: CallTo<C, 'listAllTasks'>) {
    const filters = runFiltersOf(taskView, input);
    return this.tasks.list(caller.companyId, { ...input, filters }, input.include_body ?? false);
  }

  getTask({ input: { agent_id, task_id, wait_seconds }, caller }: CallTo<C, 'getTask'>): Promise<JsonText<Task>> {
    return this.find(agent_id, task_id, wait_seconds, caller);
  }

  getAnyTask({ input: { task_id, wait_seconds }, caller }: CallTo<C, 'getAnyTask'>): Promise<JsonText<Task>> {
    return this.find(null, task_id, wait_seconds, caller);
  }

  private async find(agent_id: number | null, task_id: string, wait_seconds: number, caller: Caller) {
    const { ended } = await this.runs.reads.require(caller.companyId, task_id, { agent_id });
    if (!ended && wait_seconds > 0) {
      const until = Math.min(caller.deadline - replyMargin, Date.now() + wait_seconds * 1000);
      await this.waits.untilEnded(task_id, until, () => this.tasks.findEnded(caller.companyId, task_id));
    }
    return this.tasks.get(caller.companyId, agent_id, task_id);
  }

  async listTaskTimeline({ input, caller }: CallTo<C, 'listTaskTimeline'>) {
    const { agent_id, task_id } = input;
    await this.runs.reads.require(caller.companyId, task_id, { agent_id });
    return this.runs.timeline.ofRun(caller.companyId, task_id, input, input.include_children ?? false);
  }

  async streamTask({ input, caller }: CallTo<C, 'streamTask'>): Promise<StreamPart> {
    const { agent_id, task_id, last_event_id: last } = input;
    const state = await this.runs.reads.require(caller.companyId, task_id, { agent_id });
    return this.runs.stream.part(caller.companyId, task_id, last, state);
  }

  async cancelTask({ input: { agent_id, task_id }, caller }: CallTo<C, 'cancelTask'>): Promise<JsonText<Task>> {
    const { kind } = await this.tasks.agentOf(caller.companyId, agent_id);
    if (kind === 'EXTERNAL') throw hasNoDraft('its tasks cannot be cancelled');
    const read = async (tx: Tx) => (await tx.read<Task>(taskView, task_id)) ?? missingTask();
    return this.runs.cancels.cancel(caller, task_id, { agent_id }, read);
  }
}
