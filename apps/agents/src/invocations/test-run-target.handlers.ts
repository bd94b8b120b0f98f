import { Serves } from '@signalbox/bus';
import { agentTests, type CallTo, type Handlers, type TestedTaskEnd } from '@signalbox/contracts';
import { LinkTargets } from '../sub-agents/index.js';
import { AgentVersions } from '../versions/index.js';
import { type EndedTask, Tasks } from '../tasks/index.js';
import { TaskAnswers } from './task-answers.js';
import { secretsOf } from '../drafts/index.js';
import { TaskSubmission } from './task-submission.js';

type C = typeof agentTests;

@Serves(agentTests)
export class TestRunTargetHandlers implements Handlers<C> {
  constructor(
    private readonly tasks: Tasks,
    private readonly versions: AgentVersions,
    private readonly links: LinkTargets,
    private readonly submission: TaskSubmission,
    private readonly answers: TaskAnswers,
  ) {}

  async describeTarget({ input: { agent_id, ...pin }, caller: { companyId } }: CallTo<C, 'describeTarget'>) {
    await this.tasks.agentOf(companyId, agent_id);
    const { version, snapshot } = await this.versions.resolve(companyId, agent_id, pin);
    const { actions } = await this.links.resolveSubAgentTree(companyId, snapshot);
    return { version, secrets: secretsOf(actions) };
  }

  /** The task has the id of the call, so that a worker that continues an item waits for the task of a lost one. */
  async runTest({ input: { task_id, ...invoke }, caller }: CallTo<C, 'runTest'>): Promise<TestedTaskEnd> {
    const accepted = await this.submission.accept(invoke, { ...caller, callId: task_id, isResent: true }, 'TEST');
    const task = await this.answers.ended(accepted, caller);
    const { status, output, structured_output, failure_class, error_code, error_message, usage } = task;
    const end = { task_id, status, output, structured_output, failure_class, error_code, error_message, usage };
    return { ...end, duration_ms: durationOf(task) };
  }
}

/** Null for a task that ended in front of this caller, who knows how long it took. */
const durationOf = ({ started_at, completed_at }: Pick<EndedTask, 'started_at' | 'completed_at'>): number | null =>
  started_at == null || completed_at === null ? null : completed_at - started_at;
