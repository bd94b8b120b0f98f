import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import {
  agentAnswers,
  agentLinks,
  ApiError,
  type Caller,
  type Chain,
  type Invocation,
  parse,
  tasks,
  type Usage,
} from '@signalbox/contracts';
import { derivedUuid } from '@signalbox/platform';
import { awaitedWork, pause, retriedCall, stripUnstorable } from '@signalbox/runs';
import { ScriptHostError } from '@signalbox/scripts';
import { hostError } from '../runs/index.js';
import {
  type CallDetails,
  chainOf,
  type HostContext,
  type HostMember,
  nextNumber,
  objectArgument,
  textArgument,
} from './host-call.js';

const CALL_MS = 5000;
const FIELDS = [
  'message',
  'messages',
  'version',
  'release',
  'session_id',
  'max_iterations',
  'response_format',
  'state',
];

interface Invoked {
  agent_id: number;
  taskId: string;
  input: object;
  chain: Chain;
}

/**
 * `ctx.agents.invoke`. The id of the task is derived from the run, the arguments and their occurrence, so that a
 * restarted script finds the task of its earlier attempt. A task in WAITING is waited for as long as the run may take.
 */
@Injectable()
export class AgentCalls implements HostMember {
  constructor(private readonly bus: BusClient) {}

  async call(context: HostContext, [agent, request]: readonly unknown[], details: CallDetails): Promise<unknown> {
    const given = objectArgument(request, 'the request');
    const chain = chainOf(context);
    const agent_id = await this.agentId(context, agent);
    details.agent_id = agent_id;
    const input = inputOf(context, agent_id, given);
    const taskId = taskIdOf(context, input);
    details.child_task_id = taskId;
    try {
      const result = await this.result(context, { agent_id, taskId, input, chain });
      if (result.usage) await this.count(context, taskId, result.usage);
      return result;
    } catch (error) {
      if (!context.signal.aborted) await this.countFailed(context, agent_id, taskId);
      throw hostError(error, error instanceof ApiError && error.kind === 'timeout' ? 'TimeoutError' : 'ProviderError');
    }
  }

  /** Counted once, however often the script restarts. */
  private async count({ writer }: HostContext, name: string, usage: Usage): Promise<void> {
    await writer.keep({ kind: 'task', name, result: null, usage }, {});
  }

  /** Failed tasks have a cost too. */
  private async countFailed(context: HostContext, agent_id: number, task_id: string): Promise<void> {
    const caller = serviceCaller(context.job.companyId, Date.now() + CALL_MS);
    const read = this.bus.call(tasks.endpoints.getTask, { agent_id, task_id, wait_seconds: 0 }, caller);
    const task = await read.catch(() => null);
    if (task?.completed_at) await this.count(context, task_id, task.usage);
  }

  private async result({ job, signal }: HostContext, { agent_id, taskId, input, chain }: Invoked): Promise<Invocation> {
    for (;;) {
      const reply = await awaitedWork({
        ...{ companyId: job.companyId, callId: taskId, signal, chain },
        call: (caller) => this.invoke(input, caller),
        cancel: (caller) => this.bus.call(tasks.endpoints.cancelTask, { agent_id, task_id: taskId }, caller),
      });
      if (reply instanceof ApiError) throw reply;
      if (reply.choices) return reply;
      // The task waits for a callback: poll more slowly. After an abort the next call cancels it.
      await pause(1000, signal).catch(() => undefined);
    }
  }

  /** A timeout of the task itself has a code and is final; other timeouts are retried. */
  private invoke(input: object, caller: Caller): Promise<Invocation | ApiError> {
    return this.bus.call(agentAnswers.endpoints.invokeFor, input as never, caller).catch((error: unknown) => {
      if (error instanceof ApiError && error.kind === 'timeout' && error.extras.code !== undefined) return error;
      throw error;
    });
  }

  private async agentId({ job, run, signal }: HostContext, agent: unknown): Promise<number> {
    if (typeof agent === 'number' && Number.isInteger(agent) && agent > 0) return agent;
    if (typeof agent !== 'string' || agent === '' || agent.length > 200)
      throw new ScriptHostError('TypeError', 'the agent must be an id or a name');
    const named = { agent_name: agent, application_id: run.application_id };
    const find = (caller: Caller) => this.bus.call(agentLinks.endpoints.findAgent, named, caller);
    try {
      return (await retriedCall(job.companyId, signal, find)).agent_id;
    } catch (error) {
      throw hostError(error, 'ProviderError');
    }
  }
}

function inputOf({ run, secrets }: HostContext, agent_id: number, given: Record<string, unknown>): object {
  const fields = Object.fromEntries(
    FIELDS.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  );
  const own = {
    ...stripUnstorable(fields, secrets),
    agent_id,
    trigger: run.root_trigger === 'TEST' || run.root_trigger === 'MONITOR' ? run.root_trigger : 'WORKFLOW',
    secrets: secretsOf(secrets, given.secrets),
    metadata: { run_id: run.id, workflow_id: run.workflow_id },
  };
  try {
    return parse(agentAnswers.endpoints.invokeFor.input, own);
  } catch (error) {
    throw hostError(error, 'TypeError');
  }
}

function secretsOf(secrets: HostContext['secrets'], names: unknown): Record<string, string> {
  if (names === undefined || names === null) return {};
  if (!Array.isArray(names)) throw new ScriptHostError('TypeError', 'secrets must be a list of names');
  return Object.fromEntries(
    names.map((given: unknown) => {
      const name = textArgument(given, 'the name of a secret');
      if (!secrets?.has(name)) throw new ScriptHostError('TypeError', `the run has no secret ${name.slice(0, 64)}`);
      return [name, secrets.render(`{{secrets.${name}}}`)];
    }),
  );
}

/** The same for the same call of a restarted script. */
function taskIdOf(context: HostContext, input: object): string {
  const { secrets: _values, ...named } = input as { secrets?: unknown };
  const hash = createHash('sha256').update(JSON.stringify(named)).digest('hex');
  const call = `${context.run.id}/${hash}/${nextNumber(context, `task ${hash}`)}`;
  return derivedUuid(call, 4);
}
