import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { SchemaChecker } from '@signalbox/conditions';
import {
  applications,
  type Caller,
  chat,
  type ChatCall,
  type ChatResult,
  type ConfigView,
  intents,
  type Message,
  type ModelConsumer as Config,
  models,
  type ResponseFormat,
  trafficLinks,
} from '@signalbox/contracts';
import { retriedCall } from '@signalbox/runs';
import { type CallDefaults, givenOf } from './adapter.js';
import type { ConsumerExecutor, ConsumerCall, ConsumerTarget } from './consumer-executor.js';
import { completed, type ItemResult, outputOf } from './item-result.js';

@Injectable()
export class ModelExecutor implements ConsumerExecutor {
  constructor(
    private readonly bus: BusClient,
    private readonly schemas: SchemaChecker,
  ) {}

  async find(config: Config, caller: Caller): Promise<ConsumerTarget> {
    const { model, response_format, intent_id } = config;
    await this.schemas.requireGoodFormat(caller.companyId, response_format, 'consumer_config.response_format');
    const found = await this.bus.call(models.endpoints.getModel, { model_id: String(model) }, caller);
    const target = { id: found.id, version: null, name: found.model_name, secrets: [] };
    const application_id = config.application_id ?? (await this.applicationOf(intent_id, caller));
    if (application_id === null) return target;
    await this.bus.call(applications.endpoints.getApplication, { application_id }, caller);
    if (intent_id == null) return target;
    const path = { application_id, intent_id };
    await this.bus.call(intents.endpoints.getIntent, path, caller);
    const defaults = defaultsOf(await this.bus.call(intents.endpoints.getIntentConfig, path, caller));
    return { ...target, config: { ...config, application_id }, defaults };
  }

  /** An intent belongs to one application. */
  private async applicationOf(intent_id: number | null | undefined, caller: Caller): Promise<number | null> {
    if (intent_id == null) return null;
    const { application_id } = await this.bus.call(trafficLinks.endpoints.getIntentName, { intent_id }, caller);
    return application_id;
  }

  async execute({
    run,
    companyId,
    call_id,
    test_set_item_id,
    adapted_input,
    signal,
    ended,
  }: ConsumerCall): Promise<ItemResult> {
    const config = run.consumer_config as unknown as Config;
    const { messages, ...own } = adapted_input;
    const { tools, tool_choice, temperature, max_tokens, response_format, ...parameters } = {
      ...own,
      ...givenOf(Object.fromEntries(SENT.map((name) => [name, config[name]]))),
    } as SentParameters;
    const call: ChatCall = {
      model: run.target_name,
      application_id: config.application_id ?? null,
      ...(config.intent_id == null ? {} : { intent_id: config.intent_id }),
      messages: messages as Message[],
      ...(tools === undefined ? {} : { tools }),
      ...(tool_choice === undefined ? {} : { tool_choice }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(max_tokens === undefined ? {} : { max_tokens }),
      ...(response_format === undefined ? {} : { response_format }),
      ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
      request_id: call_id,
      request_type: 'SYNTHETIC',
      origin: 'TEST',
      origin_id: String(run.no),
      metadata: { test_run_id: run.no, test_set_item_id },
    };
    const { message, request_id, usage } = await retriedCall(companyId, signal, async (caller) => {
      // The call continues when this worker stops: the next one gets its answer.
      const { body } = await this.bus.forward(chat.endpoints.complete, call, caller, ended);
      return JSON.parse(Buffer.from(body).toString()) as ChatResult;
    });
    const asksJson = response_format !== undefined && response_format.type !== 'text';
    return completed(outputOf(message, asksJson), { request_id }, usage);
  }
}

const SENT = [
  'tools',
  'tool_choice',
  'temperature',
  'max_tokens',
  'response_format',
  'top_p',
  'seed',
  'reasoning_effort',
] as const satisfies readonly (keyof Config)[];

type SentParameters = Pick<ChatCall, 'tools' | 'tool_choice' | 'temperature' | 'max_tokens'> & {
  response_format?: ResponseFormat;
} & Record<string, unknown>;

const INHERITED = [
  'temperature',
  'top_p',
  'max_tokens',
  'stop',
  'presence_penalty',
  'frequency_penalty',
  'response_format',
  'reasoning_effort',
] as const;

/** The model of the intent is not that of the run. */
function defaultsOf({ effective_config: config, inherited_from }: ConfigView): CallDefaults {
  const isSet = (name: string): boolean => inherited_from[name] !== undefined && inherited_from[name] !== 'default';
  const set = INHERITED.filter(isSet).map((name) => [name, config[name]]);
  const { system_prompt } = config;
  return {
    parameters: givenOf(Object.fromEntries(set)),
    ...(isSet('system_prompt') && system_prompt !== null ? { system_prompt } : {}),
  };
}
