import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import { agentAnswers, agentLinks, ApiError, type Caller, type Invocation, parse, tasks } from '@signalbox/contracts';
import { pause, retriedCall, stripUnstorable } from '@signalbox/runs';
import { ScriptHostError } from '@signalbox/scripts';
import { hostError } from './failed-call.js';
import { type About, endsTheRun, type HostContext, type HostMember, nextNumber, objectArgument } from './host-call.js';

/** How long one call waits for the task; it is repeated while the task runs. */
const WAIT_MS = 60_000;
const CANCEL_MS = 5000;
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

/**
 * `ctx.agents.invoke`. The id of the task follows from the run, the arguments and their occurrence, so that a restarted
 * script finds the task of its earlier attempt. A task that waits for a callback is waited for as long as the run may
 * take.
 */
@Injectable()
export class AgentCalls implements HostMember {
  constructor(private readonly bus: BusClient) {}

  async call(context: HostContext, [agent, request]: readonly unknown[], about: About): Promise<unknown> {
    const given = objectArgument(request, 'the request');
    const agent_id = await this.agentId(context, agent);
    about.agent_id = agent_id;
    const input = inputOf(context, agent_id, given);
    const taskId = taskIdOf(context, input);
    about.child_task_id = taskId;
    const cancel = (): void => void this.cancel(context, agent_id, taskId);
    context.signal.addEventListener('abort', cancel, { once: true });
    try {
      const result = await this.result(context, input, taskId);
      if (!result.usage) return result;
      const { usage } = result;
      const kept = { kind: 'task' as const, name: taskId, result: null, usage };
      await context.writer.keep(kept, {});
      return result;
    } catch (error) {
      throw hostError(error, error instanceof ApiError && error.kind === 'timeout' ? 'TimeoutError' : 'ProviderError');
    } finally {
      context.signal.removeEventListener('abort', cancel);
    }
  }

  /** The result of the task, which this call starts or finds. */
  private async result({ job, signal }: HostContext, input: object, taskId: string): Promise<Invocation> {
    for (;;) {
      const reply = await retriedCall(job.companyId, signal, (caller) => this.invoke(input, taskId, caller));
      if (reply?.choices) return reply;
      // A task that waits for a callback is asked for again at a slower pace.
      if (reply) await pause(1000, signal);
      signal.throwIfAborted();
    }
  }

  /** Null while the task runs. */
  private async invoke(input: object, callId: string, caller: Caller): Promise<Invocation | null> {
    const { invokeFor } = agentAnswers.endpoints;
    const own = { ...caller, callId, isResent: true, deadline: Date.now() + WAIT_MS };
    try {
      return await this.bus.call(invokeFor, input as never, own);
    } catch (error) {
      // The time-out of the task itself has a code.
      if (error instanceof ApiError && error.kind === 'timeout' && error.extras.code === undefined) return null;
      throw error;
    }
  }

  private async agentId({ job, run }: HostContext, agent: unknown): Promise<number> {
    if (typeof agent === 'number' && Number.isInteger(agent) && agent > 0) return agent;
    if (typeof agent !== 'string' || agent === '' || agent.length > 200)
      throw new ScriptHostError('TypeError', 'the agent must be an id or a name');
    const caller = serviceCaller(job.companyId, Date.now() + CANCEL_MS);
    const named = { agent_name: agent, application_id: run.application_id };
    try {
      return (await this.bus.call(agentLinks.endpoints.findAgent, named, caller)).agent_id;
    } catch (error) {
      throw hostError(error, 'NotFoundError');
    }
  }

  /** Cancels the task of a call whose script has ended; a task that a restarted script will find again continues. */
  private async cancel({ job, signal }: HostContext, agent_id: number, task_id: string): Promise<void> {
    if (!endsTheRun(signal.reason)) return;
    const caller = serviceCaller(job.companyId, Date.now() + CANCEL_MS);
    await this.bus.call(tasks.endpoints.cancelTask, { agent_id, task_id }, caller).catch(() => undefined);
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

/** The values of the secrets that the call passes on by their names. */
function secretsOf(secrets: HostContext['secrets'], names: unknown): Record<string, string> {
  if (names === undefined || names === null) return {};
  if (!Array.isArray(names)) throw new ScriptHostError('TypeError', 'secrets must be a list of names');
  return Object.fromEntries(
    names.map((name) => {
      if (typeof name !== 'string' || !secrets?.has(name))
        throw new ScriptHostError('TypeError', `the run has no secret ${String(name).slice(0, 64)}`);
      return [name, secrets.render(`{{secrets.${name}}}`)];
    }),
  );
}

/** The id of the task: the same for the same call of a restarted script. */
function taskIdOf(context: HostContext, input: object): string {
  const { secrets: _values, ...named } = input as { secrets?: unknown };
  const hash = createHash('sha256').update(JSON.stringify(named)).digest('hex');
  const call = `${context.run.id}/${hash}/${nextNumber(context, `task ${hash}`)}`;
  const hex = createHash('sha256').update(call).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
