import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import {
  type Execution,
  parse,
  type WorkflowActionConfig,
  workflowInvocations,
  workflowRuns,
} from '@signalbox/contracts';
import { derivedUuid } from '@signalbox/platform';
import { awaitedWork, stripUnstorable } from '@signalbox/runs';
import type { ActionCall } from './action-call.js';
import { workflowInput } from './workflow-input.js';

/** The run id derives from task and step, so a repeated step finds its run; the run is cancelled with its task. */
@Injectable()
export class WorkflowActions {
  constructor(private readonly bus: BusClient) {}

  run(call: ActionCall, config: WorkflowActionConfig): Promise<Execution> {
    const { companyId, signal, chain, downMs } = call;
    const run_id = runIdOf(call);
    const input = inputOf(call, config);
    return awaitedWork({
      ...{ companyId, callId: run_id, signal, chain, downMs },
      call: (caller) => this.bus.call(workflowInvocations.endpoints.invokeFor, input as never, caller),
      cancel: (caller) => this.bus.call(workflowRuns.endpoints.cancelRun, { run_id }, caller),
    });
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

const runIdOf = ({ taskId, step }: ActionCall): string => derivedUuid(`workflow action ${taskId}/${step}`, 4);
