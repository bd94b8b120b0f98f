import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SchemaChecker } from '@signalbox/conditions';
import {
  type Caller,
  conflict,
  type InputOf,
  type INVOKING_TRIGGERS,
  type Message,
  type ResponseFormat,
  type tasks,
} from '@signalbox/contracts';
import type { SecretBag } from '@signalbox/egress';
import {
  chainColumns,
  requireDepth,
  SecretHolder,
  StreamSubscribers,
  stripUnstorable,
  workOfDepth,
} from '@signalbox/runs';
import { type AgentSnapshot, requireSecrets, secretsOf } from '../drafts/index.js';
import { changeState, initialState } from '../form-fields/index.js';
import { LinkTargets } from '../sub-agents/index.js';
import { CalledAgents } from './called-agents.repository.js';
import type { Accepted, NewTask } from './new-task.js';
import { TaskAcceptances } from './task-acceptances.repository.js';
import { TASK_WORK, Tasks } from '../tasks/index.js';

type Invoke = InputOf<typeof tasks.endpoints.invokeAgent>;
/** Set by the called endpoint, never by its input. */
type InvokeTrigger = 'API' | 'CHAT' | 'MCP' | (typeof INVOKING_TRIGGERS)[number];

@Injectable()
export class TaskSubmission {
  constructor(
    private readonly tasks: Tasks,
    private readonly called: CalledAgents,
    private readonly links: LinkTargets,
    private readonly secrets: SecretHolder,
    private readonly schemas: SchemaChecker,
    private readonly acceptances: TaskAcceptances,
    private readonly subscribers: StreamSubscribers,
  ) {}

  /** A repeated call that any process has accepted before returns its task. */
  async accept(input: Invoke, caller: Caller, trigger: InvokeTrigger = 'API'): Promise<Accepted> {
    const earlier = caller.idempotency?.earlier as Accepted | null | undefined;
    const known = earlier ?? (await this.acceptedBefore(caller));
    if (known) return known;
    try {
      return await this.start(input, caller, trigger);
    } catch (error) {
      // The process that received the call first may have accepted it concurrently.
      const late = await this.acceptedBefore(caller);
      if (late) return late;
      throw error;
    }
  }

  private async acceptedBefore({ companyId, callId, isResent }: Caller): Promise<Accepted | null> {
    const task = isResent && callId !== undefined ? await this.tasks.findAccepted(companyId, callId) : null;
    return task && { ...task, status: 'QUEUED' };
  }

  private async start(input: Invoke, caller: Caller, trigger: InvokeTrigger): Promise<Accepted> {
    const { agent_id } = input;
    const agent = await this.called.get(caller.companyId, agent_id, input);
    requireDepth(caller.chain);
    const { snapshot, actions } = await this.links.resolveSubAgentTree(caller.companyId, agent.snapshot);
    const bag = requireSecrets(secretsOf(actions), input.secrets);
    if (agent.status !== 'ENABLED') throw conflict(`agent ${agent_id} is DISABLED`);
    await this.called.requireCallable(caller, agent.application_id, snapshot);
    const given = stripUnstorable(changeState(snapshot.form_fields ?? [], {}, input.state), bag);
    const format = await this.formatOf(caller.companyId, input, snapshot);
    const task: NewTask = {
      id: caller.callId ?? randomUUID(),
      trigger,
      root_trigger: trigger,
      parent: null,
      ...chainColumns(caller.chain),
      agent_id,
      application_id: agent.application_id,
      session_id: input.session_id ?? randomUUID(),
      version: agent.version,
      release: agent.release,
      snapshot,
      input_messages: stripUnstorable(messagesOf(input), bag),
      response_format: format,
      max_iterations: input.max_iterations ?? snapshot.max_iterations,
      max_cost: lowest(input.max_cost, snapshot.max_cost, caller.chain?.budget),
      has_secrets: bag !== undefined,
      metadata: stripUnstorable(input.metadata, bag),
      state: { initial: initialState(snapshot.form_fields ?? []), given },
    };
    if (input.stream || !input.wait) this.subscribers.expectSubscriber(task.id);
    const isAwaited = input.wait && !input.stream;
    return bag
      ? this.acceptHolding(caller, task, bag, isAwaited)
      : this.acceptances.accept(caller, task, workOfDepth(TASK_WORK, task.depth), isAwaited);
  }

  /** The secrets are held before the task can be claimed, and dropped when it was not accepted. */
  private async acceptHolding(caller: Caller, task: NewTask, bag: SecretBag, isAwaited: boolean): Promise<Accepted> {
    this.secrets.hold(task.id, bag);
    try {
      const work = this.secrets.ownKind(workOfDepth(TASK_WORK, task.depth));
      return await this.acceptances.accept(caller, task, work, isAwaited);
    } catch (error) {
      const exists = async () => (await this.tasks.findAccepted(caller.companyId, task.id)) !== null;
      void this.secrets.forgetUnaccepted(task.id, error, exists);
      throw error;
    }
  }

  private async formatOf(companyId: number, input: Invoke, snapshot: AgentSnapshot): Promise<ResponseFormat | null> {
    const format = (input.response_format === undefined ? snapshot.response_format : input.response_format) ?? null;
    await this.schemas.requireGoodFormat(companyId, format);
    return format;
  }
}

const messagesOf = ({ message, messages }: Invoke): Message[] => messages ?? [{ role: 'user', content: message ?? '' }];

function lowest(...caps: (number | null | undefined)[]): number | null {
  const set = caps.filter((cap): cap is number => cap != null);
  return set.length > 0 ? Math.min(...set) : null;
}
