import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import {
  ApiError,
  type Execution,
  parse,
  type WorkflowActionConfig,
  workflowInvocations,
  workflowRuns,
} from '@signalbox/contracts';
import { abortable, RunEndedError, stripUnstorable } from '@signalbox/runs';
import type { ActionCall } from './action-call.js';
import { workflowInput } from './workflow-input.js';

/** How long one call waits for the run; it is repeated until the run has ended. */
const WAIT_MS = 60_000;
const CANCEL_MS = 5000;

/**
 * Runs the workflows of actions. The id of the run follows from the task and the step, so that a repeated step finds
 * its run.
 */
@Injectable()
export class WorkflowActions {
  constructor(private readonly bus: BusClient) {}

  /** The run at its end. */
  async run(call: ActionCall, config: WorkflowActionConfig): Promise<Execution> {
    const callId = runIdOf(call);
    const input = inputOf(call, config);
    const cancel = (): void => void this.cancel(call, callId);
    call.signal.addEventListener('abort', cancel, { once: true });
    try {
      for (;;) {
        const run = await abortable(this.invoke(call.companyId, input, callId), call.signal);
        if (run) return run;
      }
    } finally {
      call.signal.removeEventListener('abort', cancel);
    }
  }

  /** Null until the run has ended. */
  private async invoke(companyId: number, input: object, callId: string): Promise<Execution | null> {
    const caller = { ...serviceCaller(companyId, Date.now() + WAIT_MS), callId, isResent: true };
    try {
      return await this.bus.call(workflowInvocations.endpoints.invokeFor, input as never, caller);
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'timeout') return null;
      throw error;
    }
  }

  /** Cancels the run of a task that has ended; a task that another worker takes over finds it again. */
  private async cancel({ companyId, signal }: ActionCall, run_id: string): Promise<void> {
    if (!(signal.reason instanceof RunEndedError)) return;
    const caller = serviceCaller(companyId, Date.now() + CANCEL_MS);
    await this.bus.call(workflowRuns.endpoints.cancelRun, { run_id }, caller).catch(() => undefined);
  }
}

function inputOf(call: ActionCall, { workflow_id, version, release, input_mapping }: WorkflowActionConfig): object {
  const { attribution, session_id, taskId } = call;
  return parse(workflowInvocations.endpoints.invokeFor.input, {
    workflow_id,
    ...(version ? { version } : release ? { release } : {}),
    input: stripUnstorable(workflowInput(input_mapping, call.arguments), call.secrets),
    trigger: attribution.request_type === 'SYNTHETIC' ? 'TEST' : 'AGENT',
    ...(session_id === undefined ? {} : { session_id }),
    metadata: { task_id: taskId },
  });
}

function runIdOf({ taskId, step }: ActionCall): string {
  const hex = createHash('sha256').update(`workflow action ${taskId}/${step}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
