import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import {
  type Caller,
  type Execution,
  type Message,
  workflowInvocations,
  workflowLinks,
  workflowRuns,
  type WorkflowConsumer as Config,
} from '@signalbox/contracts';
import { awaitedWork } from '@signalbox/runs';
import type { ConsumerExecutor, ConsumerCall, ConsumerTarget } from './consumer-executor.js';
import { completed, failed, type ItemResult } from './item-result.js';
import { secretValues } from './secret-values.js';

@Injectable()
export class WorkflowExecutor implements ConsumerExecutor {
  constructor(private readonly bus: BusClient) {}

  async find({ workflow_id, version, release }: Config, caller: Caller): Promise<ConsumerTarget> {
    const input = { workflow_id, ...(version ? { version } : {}), ...(release ? { release } : {}) };
    const found = await this.bus.call(workflowLinks.endpoints.resolveWorkflow, input, caller);
    // A script names its secrets while it runs, so none are known to be required.
    return { id: workflow_id, version: found.version, name: null, secrets: [], input_schema: found.input_schema };
  }

  async execute({
    run,
    companyId,
    adapted_input,
    call_id,
    secrets,
    signal,
    test_set_item_id,
  }: ConsumerCall): Promise<ItemResult> {
    const { workflow_id } = run.consumer_config as unknown as Config;
    const { input, messages } = adapted_input as { input?: unknown; messages?: Message[] };
    const invocation = {
      workflow_id,
      // A run accepts one of both; `input` is the result of a mapping.
      ...(input === undefined ? { messages: messages ?? [] } : { input }),
      ...(run.consumer_version === null ? {} : { version: run.consumer_version }),
      params: {},
      secrets: secretValues(secrets),
      metadata: { test_run_id: run.no, test_set_item_id },
      trigger: 'TEST' as const,
      wait: true,
    };
    const end = await awaitedWork({
      companyId,
      callId: call_id,
      signal,
      call: (caller) => this.bus.call(workflowInvocations.endpoints.invokeFor, invocation, caller),
      cancel: (caller) => this.bus.call(workflowRuns.endpoints.cancelRun, { run_id: call_id }, caller),
    });
    return { ...resultOf(end), duration_ms: end.duration_ms };
  }
}

function resultOf({ id, run_id, status, output, ...end }: Execution): ItemResult {
  const workflow_run_id = id ?? run_id;
  const ref = workflow_run_id === undefined ? null : { workflow_run_id };
  if (status === 'COMPLETED') return completed({ json: output ?? null }, ref ?? {}, end.usage ?? null);
  const failure_class = end.failure_class ?? (status === 'TIMED_OUT' ? 'timeout' : 'internal');
  return failed(
    failure_class,
    end.error_code ?? null,
    end.error_message ?? `the workflow run is ${status}`,
    ref,
    end.usage ?? null,
  );
}
