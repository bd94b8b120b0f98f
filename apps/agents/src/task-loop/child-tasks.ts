import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError, type Message } from '@signalbox/contracts';
import type { SecretBag } from '@signalbox/egress';
import type { Job } from '@signalbox/platform';
import {
  type CallFailure,
  callFailureOf,
  holderOf,
  requireDepth,
  SecretHolder,
  StreamSubscribers,
  stripUnstorable,
  SUSPENDED,
} from '@signalbox/runs';
import { initialState } from '../form-fields/index.js';
import { CalledAgents, type NewTask, TaskAcceptances } from '../invocations/index.js';
import {
  type ActionStep,
  blank,
  budgetOf,
  type CallChild,
  callOf,
  chainOf,
  type EndedTask,
  type RunningTask,
  type StepRecord,
  Tasks,
  taskStates,
} from '../tasks/index.js';
import { LinkTargets } from '../sub-agents/index.js';

const REFUSED: CallFailure = { failure_class: 'quality', error_code: null };

/** The message is for the model. */
class SubAgentRefusedError extends Error {}

/**
 * Starts the tasks of sub-agents and suspends the parent until its child has ended. A child uses the session id of its
 * parent, within its own agent, so that it has the history of the conversation. Its budget is the rest of its parent's.
 * Its failure is a result for the model, or ends the parent when its link completes the task.
 */
@Injectable()
export class ChildTasks {
  constructor(
    private readonly tasks: Tasks,
    private readonly acceptances: TaskAcceptances,
    private readonly subscribers: StreamSubscribers,
    private readonly called: CalledAgents,
    private readonly links: LinkTargets,
    private readonly secrets: SecretHolder,
  ) {}

  async execute(
    job: Job,
    task: RunningTask,
    next: CallChild,
    bag: SecretBag | undefined,
  ): Promise<StepRecord | typeof SUSPENDED> {
    const known = await this.tasks.findChild(job.companyId, task.id, next.step_no);
    if (known) return taskStates.isTerminal(known.status) ? this.ended(next, known, bag) : SUSPENDED;
    try {
      await this.start(job, task, next, bag);
      return SUSPENDED;
    } catch (error) {
      if (!(error instanceof SubAgentRefusedError || (error instanceof ApiError && error.status < 500))) throw error;
      const { failure_class, error_code } = (error instanceof ApiError && callFailureOf(error)) || REFUSED;
      return recorded(next, {
        ...blank(next),
        ...{ status: 'ERROR', error_message: error.message, failure_class, error_code },
      });
    }
  }

  private async start(job: Job, task: RunningTask, next: CallChild, bag: SecretBag | undefined): Promise<void> {
    const { child_agent_id, version, release } = next.child;
    const messages = next.messages ?? [{ role: 'user', content: messageOf(next) }];
    const chain = chainOf(task);
    requireDepth(chain);
    const pin = version ? { version } : release ? { release } : {};
    const agent = await this.called.get(job.companyId, child_agent_id, pin);
    if (agent.status !== 'ENABLED') throw new SubAgentRefusedError(`sub-agent ${next.child.agent_name} is DISABLED`);
    const snapshot = await this.links.withNames(job.companyId, agent.snapshot);
    const child: NewTask = {
      id: randomUUID(),
      trigger: 'SUB_AGENT',
      root_trigger: task.root_trigger,
      parent: { id: task.id, step: next.step_no },
      root_id: chain.root,
      called_by: null,
      depth: chain.depth,
      ends_by: task.ends_by,
      agent_id: child_agent_id,
      application_id: agent.application_id,
      session_id: task.session_id,
      version: agent.version,
      release: agent.release,
      snapshot,
      input_messages: stripUnstorable<Message[]>(messages, bag),
      response_format: snapshot.response_format ?? (answersFor(task, next) ? task.response_format : null),
      max_iterations: snapshot.max_iterations,
      max_cost: lowest(budgetOf(task), snapshot.max_cost),
      has_secrets: bag !== undefined,
      metadata: task.metadata,
      state: { initial: initialState(snapshot.form_fields), given: {} },
    };
    if (bag) this.secrets.hold(child.id, bag, holderOf(task.work_kind) ?? undefined);
    if (this.subscribers.expectsSubscriber(task.id)) this.subscribers.expectSubscriber(child.id);
    try {
      const asked = {
        event: { type: 'subagent.started', data: { child_agent_id, child_task_id: child.id } },
        timeline: { type: 'sub_agent_invoked', data: { child_task_id: child.id } },
      };
      await this.acceptances.acceptChild(job, task, child, [asked]);
    } catch (error) {
      const exists = async () => (await this.tasks.findAccepted(job.companyId, child.id)) !== null;
      void this.secrets.forgetUnaccepted(child.id, error, exists);
      throw error;
    }
  }

  private ended(next: CallChild, child: EndedTask, bag: SecretBag | undefined): StepRecord {
    const good = child.status === 'COMPLETED';
    const completes = next.child.action_result_type === 'complete_task';
    const why = child.error_message ?? `it was ${child.status}`;
    const step: ActionStep = {
      ...blank(next),
      status: good ? 'SUCCESS' : 'ERROR',
      outcomeOnly: completes,
      output: good ? stripUnstorable(child.structured_output ?? child.output?.content ?? '', bag) : null,
      error_message: good ? null : `sub-agent ${next.child.agent_name} failed: ${why}`,
      usage: child.usage,
      child_task_id: child.id,
      ...(good ? {} : { ...causeOf(child), fatal: completes }),
    };
    const data = { child_task_id: child.id, status: child.status };
    return {
      ...recorded(next, step),
      effect: () => Promise.resolve([{ event: { type: 'subagent.completed', data } }]),
    };
  }
}

/** The answer of the child is that of its parent, so the child can correct what does not fit. */
const answersFor = ({ snapshot }: RunningTask, { messages }: CallChild): boolean =>
  messages !== undefined || snapshot.execution_mode === 'route';

const causeOf = ({ status, failure_class, error_code }: EndedTask): CallFailure => ({
  failure_class: failure_class ?? 'internal',
  error_code: status === 'CANCELLED' ? 'cancelled' : error_code,
});

const recorded = (next: CallChild, step: ActionStep): StepRecord => ({
  step,
  request: callOf(next),
  duration_ms: 0,
  executedCall: null,
});

function messageOf({ call }: CallChild): string {
  try {
    const { message } = JSON.parse(call.function.arguments || '{}') as { message?: unknown };
    if (typeof message === 'string' && message !== '') return message;
  } catch {
    // Invalid JSON is reported like a missing message.
  }
  throw new SubAgentRefusedError('the argument message is missing: it must be a string');
}

function lowest(...caps: (number | null)[]): number | null {
  const set = caps.filter((cap): cap is number => cap !== null);
  return set.length > 0 ? Math.max(0, Math.min(...set)) : null;
}
