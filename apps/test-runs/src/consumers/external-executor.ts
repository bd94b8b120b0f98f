import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { valueAt } from '@signalbox/conditions';
import {
  agents,
  agentTests,
  type Caller,
  type ExternalAnswer,
  type ExternalConsumer as Config,
  externalTasks,
  invalidField,
  isDeeperThan,
  MAX_FOREIGN_DEPTH,
  otelIngest,
  type SourceRef,
} from '@signalbox/contracts';
import { secretNamesIn, secretPlaceholdersIn } from '@signalbox/egress';
import { retriedCall } from '@signalbox/runs';
import type { Output } from '../judging/index.js';
import { BODY_PLACEHOLDERS } from './adapter.js';
import type { ConsumerCall, ConsumerExecutor, ConsumerTarget } from './consumer-executor.js';
import { completed, failed, type ItemResult } from './item-result.js';
import { secretValues } from './secret-values.js';

/** Calls programs that run elsewhere over HTTP. */
@Injectable()
export class ExternalExecutor implements ConsumerExecutor {
  constructor(private readonly bus: BusClient) {}

  async find(config: Config, caller: Caller): Promise<ConsumerTarget> {
    checkTemplate(config);
    const { agent_id, version, headers } = config;
    const target = { id: null, version: null, name: null, secrets: secretNamesIn(headers) };
    if (agent_id == null) {
      if (version != null) throw invalidField('consumer_config.version', 'needs an agent_id');
      return target;
    }
    const { kind } = await this.bus.call(agents.endpoints.getAgent, { agent_id }, caller);
    if (kind !== 'EXTERNAL')
      throw invalidField('consumer_config.agent_id', 'names a HOSTED agent: a run of kind AGENT invokes it');
    if (version == null) return { ...target, id: agent_id };
    const found = await this.bus.call(agentTests.endpoints.describeTarget, { agent_id, version }, caller);
    return { ...target, id: agent_id, version: found.version };
  }

  /**
   * The trace id is the call id, so an item that is continued belongs to the same trace, and a program whose answer was
   * lost on its way is not called again.
   */
  async execute({ run, companyId, call_id, adapted_input, secrets, signal }: ConsumerCall): Promise<ItemResult> {
    const { url, method, headers, output_path, timeout_ms } = run.consumer_config as unknown as Config;
    const trace_id = call_id.replaceAll('-', '');
    const span_id = trace_id.slice(16);
    const { task_id } = await retriedCall(companyId, signal, (caller) =>
      this.bus.call(otelIngest.endpoints.expectTrace, { trace_id, span_id }, caller),
    );
    const call = {
      url,
      method,
      headers,
      body: method === 'GET' ? null : JSON.stringify(adapted_input.body ?? null),
      secrets: secretValues(secrets),
      traceparent: `00-${trace_id}-${span_id}-01`,
      timeout_ms,
    };
    const answer = await retriedCall(companyId, signal, async (caller) => {
      const deadline = Math.max(caller.deadline, Date.now() + timeout_ms + GRACE_MS);
      const { body } = await this.bus.forward(
        externalTasks.endpoints.callProgram,
        call,
        { ...caller, deadline },
        signal,
      );
      return JSON.parse(Buffer.from(body).toString()) as ExternalAnswer;
    });
    return executionOf(answer, output_path ?? null, { agent_task_id: task_id });
  }
}

const GRACE_MS = 10_000;

/** 400 for a placeholder that would not be replaced. */
function checkTemplate({ url, body_template }: Config): void {
  if (url.includes('{{')) throw invalidField('consumer_config.url', 'must not contain placeholders');
  if (secretPlaceholdersIn(body_template).length > 0)
    throw invalidField('consumer_config.body_template', 'must not contain secrets: they belong in headers');
  const stray = textsIn(body_template).find(
    (text) => BODY_PLACEHOLDERS.some((each) => text.includes(each)) && !BODY_PLACEHOLDERS.some((each) => text === each),
  );
  if (stray !== undefined)
    throw invalidField(
      'consumer_config.body_template',
      `has a placeholder within a longer text: ${stray.slice(0, 100)}`,
    );
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function executionOf(answer: ExternalAnswer, path: string | null, ref: SourceRef): ItemResult {
  const { status, body, failure_class, error_code, error_message } = answer;
  if (failure_class !== null) return failed(failure_class, error_code, error_message ?? '', ref);
  if (status === null || status < 200 || status >= 300)
    return failed('provider', 'provider_error', `the program answered with status ${status}`, ref);
  const value = answeredValue(body, path);
  if (value === undefined) return failed('adapter', null, `the answer has nothing at ${path}`, ref);
  if (isDeeperThan(value, MAX_FOREIGN_DEPTH))
    return failed('adapter', null, `the answer is nested more than ${MAX_FOREIGN_DEPTH} deep`, ref);
  return completed(outputOf(value), ref, null);
}

/** Without a path, an answer that is not JSON is its text. */
function answeredValue(body: string, path: string | null): unknown {
  const json = parsed(body);
  if (path === null) return json === undefined ? body : json;
  return json === undefined ? undefined : valueAt(json, path);
}

const outputOf = (value: unknown): Output => (typeof value === 'string' ? { text: value } : { json: value });

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
