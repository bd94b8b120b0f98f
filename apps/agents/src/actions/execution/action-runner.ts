import { Injectable } from '@nestjs/common';
import { CompanyProfiles } from '@signalbox/clients';
import {
  ApiError,
  isDeeperThan,
  type LlmActionConfig,
  MAX_FOREIGN_DEPTH,
  type Message,
  parseActionConfig,
  type WebhookActionConfig,
} from '@signalbox/contracts';
import { Egress, EgressDenied, type EgressResponse, EgressTimeout, isEgressError } from '@signalbox/egress';
import { waitsForCallback } from '../tools.js';
import { type ActionOutcome, type ActionResult, failed, success } from './action-outcome.js';
import type { ActionCall } from './action-call.js';
import { UrlRefused } from './action-url.js';
import { apiRequest } from './api-request.js';
import { cutText, stripUnstorable } from '@signalbox/runs';
import { type CallAttribution, causeOf, ModelCalls } from '../../models/index.js';
import { fillText, textOfArgument } from './template.js';
import { McpActions } from './mcp-actions.js';
import { WorkflowActions } from './workflow-actions.js';

type ActionType = ActionCall['action']['action_type'];

const MAX_OUTPUT = 64 * 1024;
/**
 * Read limit in bytes for the answer of a target: no text of `MAX_OUTPUT` characters is longer. More would be received,
 * scrubbed and decoded only to be cut off.
 */
const MAX_ANSWER_BYTES = 8 * MAX_OUTPUT;
const MAX_ERROR_BODY = 2048;

/** Aborts are thrown, everything else is an outcome. */
@Injectable()
export class ActionRunner {
  constructor(
    private readonly egress: Egress,
    private readonly companies: CompanyProfiles,
    private readonly models: ModelCalls,
    private readonly workflows: WorkflowActions,
    private readonly mcp: McpActions,
  ) {}

  async run(call: ActionCall): Promise<ActionOutcome> {
    const began = Date.now();
    const ended = await this.outcome(call);
    return { ...stripUnstorable(ended, call.secrets), duration_ms: Date.now() - began };
  }

  private async outcome(call: ActionCall): Promise<ActionResult> {
    try {
      return await this.perform(call);
    } catch (error) {
      call.signal.throwIfAborted();
      // When a platform service is down the action was not run, so the job is retried.
      if (error instanceof ApiError && error.kind === 'unavailable') throw error;
      return failureOf(error, call.action.action_type);
    }
  }

  private perform(call: ActionCall): Promise<ActionResult> {
    const { action_type: type, action_config: config } = call.action;
    switch (type) {
      case 'llm':
        return this.askModel(call, parseActionConfig('llm', config));
      case 'api':
        return this.callApi(call, 'api');
      case 'webhook':
        return waitsForCallback(call.action) && !call.prepare
          ? Promise.resolve(failed('internal', 'a webhook that waits for its callback runs only within a task'))
          : this.callApi(call, 'webhook');
      case 'maitai_workflow':
        return this.runWorkflow(call);
      case 'mcp':
        return this.mcp.run(call);
    }
  }

  private async callApi(call: ActionCall, type: 'api' | 'webhook'): Promise<ActionResult> {
    const parsed = parseActionConfig(type, call.action.action_config);
    const config = call.prepare ? call.prepare(parsed as WebhookActionConfig) : parsed;
    if (config.mock_response !== undefined) return success(config.mock_response);
    const request = apiRequest(config, call.base_url, call.arguments, `${call.taskId}/${call.step}`);
    const response = await this.egress.fetch({
      ...request,
      timeoutMs: config.timeout_ms,
      maxBytes: MAX_ANSWER_BYTES,
      signal: call.signal,
      allow: (await this.companies.ofCompany(call.companyId)).egress_allow,
      secrets: call.secrets,
    });
    return readResponse(response);
  }

  private async runWorkflow(call: ActionCall): Promise<ActionResult> {
    const config = parseActionConfig('maitai_workflow', call.action.action_config);
    const { id, status, output, usage, failure_class, error_code, error_message } = await this.workflows.run(
      call,
      config,
    );
    if (status === 'COMPLETED') return success(boundedJson(output), usage ?? null);
    const message = `run ${id} ${status}${error_message ? `: ${error_message}` : ''}`;
    return {
      ...failed(failure_class ?? 'internal', message, {
        ...(error_code ? { error_code } : {}),
        ...(status === 'TIMED_OUT' ? { status: 'TIMEOUT' as const } : {}),
      }),
      usage: usage ?? null,
    };
  }

  private async askModel(call: ActionCall, config: LlmActionConfig): Promise<ActionResult> {
    const { prompt, user_prompt: userPrompt, model_config: settings, response_format } = config;
    const given = call.arguments;
    // Braces without a matching argument are text, such as an example of JSON.
    const fill = (template: string): string => fillText(template, given, ['input']);
    const user = userPrompt ? fill(userPrompt) : textOfArgument(given['input']);
    const messages: Message[] =
      user === ''
        ? [{ role: 'user', content: fill(prompt) }]
        : [
            { role: 'system', content: fill(prompt) },
            { role: 'user', content: user },
          ];
    const answer = await this.models.complete(
      call.companyId,
      {
        model: settings.model ?? call.model ?? null,
        messages: stripUnstorable(messages, call.secrets),
        ...call.attribution,
        reference_id: `${call.taskId}/${call.step}`,
        metadata: { ...taskIn(call.attribution), action_id: call.action.id },
        ...(call.application_id === undefined ? {} : { application_id: call.application_id }),
        ...(call.session_id === undefined ? {} : { session_id: call.session_id }),
        ...(settings.temperature == null ? {} : { temperature: settings.temperature }),
        ...(settings.max_tokens == null ? {} : { max_tokens: settings.max_tokens }),
        ...(response_format ? { response_format } : {}),
      },
      call.signal,
    );
    return success(bounded(answer.message.content ?? '', response_format ? 'application/json' : ''), answer.usage);
  }
}

const taskIn = ({ origin_id: task_id }: CallAttribution) => (task_id === undefined ? {} : { task_id });

function readResponse({ status, headers, body, truncated }: EgressResponse): ActionResult {
  const text = body.toString('utf8');
  if (status < 200 || status > 299)
    return failed('provider', `the target answered ${status}`, { output: cutText(text, MAX_ERROR_BODY) });
  return success(bounded(text, truncated ? '' : (headers['content-type'] ?? '')));
}

/** Parsed JSON, or text of at most 64 kB; JSON that is nested too deeply stays text. */
function bounded(content: unknown, type: string): unknown {
  if (typeof content !== 'string') return content;
  if (content.length <= MAX_OUTPUT && /json/i.test(type)) {
    try {
      const value = JSON.parse(content) as unknown;
      return isDeeperThan(value, MAX_FOREIGN_DEPTH) ? content : value;
    } catch {
      return content;
    }
  }
  return cutText(content, MAX_OUTPUT);
}

/** An output that is too large for the model becomes the beginning of its JSON text. */
function boundedJson(output: unknown): unknown {
  const text = JSON.stringify(output ?? null);
  return text.length <= MAX_OUTPUT ? (output ?? null) : cutText(text, MAX_OUTPUT);
}

function failureOf(error: unknown, type: ActionType): ActionResult {
  if (error instanceof UrlRefused) return failed('quality', error.message);
  if (error instanceof EgressDenied) return failed('sandbox', error.message, { error_code: 'egress_denied' });
  if (error instanceof EgressTimeout) return failed('timeout', error.message, { status: 'TIMEOUT' });
  if (isEgressError(error)) return failed('provider', error.message);
  // The input of a workflow comes from the arguments, which the model may correct.
  if (error instanceof ApiError && error.kind === 'invalid' && type === 'maitai_workflow')
    return failed('quality', error.message);
  if (error instanceof ApiError) return ofApiError(error);
  return failed('internal', 'the action could not be run');
}

function ofApiError(error: ApiError): ActionResult {
  const { failure_class, error_code } = causeOf(error) ?? { failure_class: 'internal' as const };
  const status = failure_class === 'timeout' ? { status: 'TIMEOUT' as const } : {};
  return failed(failure_class, error.message, { ...(error_code ? { error_code } : {}), ...status });
}
