import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { SchemaChecker } from '@signalbox/conditions';
import { type AgentConsumer as Config, agentTests, type Caller, tasks, type TestedTaskEnd } from '@signalbox/contracts';
import { awaitedWork } from '@signalbox/runs';
import { contentOf, type Output } from '../judging/index.js';
import type { ConsumerExecutor, ConsumerCall, ConsumerTarget } from './consumer-executor.js';
import { completed, failed, type ItemResult } from './item-result.js';
import { secretValues } from './secret-values.js';

@Injectable()
export class AgentExecutor implements ConsumerExecutor {
  constructor(
    private readonly bus: BusClient,
    private readonly schemas: SchemaChecker,
  ) {}

  async find({ agent_id, version, release, response_format }: Config, caller: Caller): Promise<ConsumerTarget> {
    await this.schemas.requireGoodFormat(caller.companyId, response_format, 'consumer_config.response_format');
    const input = { agent_id, ...(version ? { version } : {}), ...(release ? { release } : {}) };
    const found = await this.bus.call(agentTests.endpoints.describeTarget, input, caller);
    return { id: agent_id, version: found.version, name: null, secrets: found.secrets };
  }

  async execute(call: ConsumerCall): Promise<ItemResult> {
    const { run, companyId, call_id, secrets, signal, test_set_item_id } = call;
    const { agent_id, max_iterations, response_format } = run.consumer_config as unknown as Config;
    const input = {
      ...call.adapted_input,
      task_id: call_id,
      agent_id,
      // The version of the time when the run was prepared, wherever a release points now.
      ...(run.consumer_version === null ? {} : { version: run.consumer_version }),
      ...(max_iterations == null ? {} : { max_iterations }),
      ...(response_format ? { response_format } : {}),
      secrets: secretValues(secrets),
      wait: true,
      stream: false,
      state: {},
      metadata: { test_run_id: run.no, test_set_item_id },
    };
    const end = await awaitedWork({
      companyId,
      callId: call_id,
      signal,
      call: (caller) => this.bus.call(agentTests.endpoints.runTest, input, caller),
      cancel: (caller) => this.bus.call(tasks.endpoints.cancelTask, { agent_id, task_id: call_id }, caller),
    });
    return { ...resultOf(end), duration_ms: end.duration_ms };
  }
}

function resultOf(end: TestedTaskEnd): ItemResult {
  const ref = { agent_task_id: end.task_id };
  const { usage = null } = end;
  if (end.status === 'COMPLETED') return completed(outputOf(end), ref, usage);
  const message = end.error_message ?? `the task is ${end.status}`;
  return failed(end.failure_class ?? 'internal', end.error_code, message, ref, usage);
}

const outputOf = ({ structured_output, output }: TestedTaskEnd): Output =>
  structured_output == null ? { text: contentOf(output ?? { content: null }) } : { json: structured_output };
