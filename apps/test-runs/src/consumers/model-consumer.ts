import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { SchemaChecker } from '@signalbox/conditions';
import {
  applications,
  type Caller,
  chat,
  type ChatCall,
  type ChatResult,
  intents,
  invalidField,
  type Message,
  type ModelConsumer as Config,
  models,
} from '@signalbox/contracts';
import { retriedCall } from '@signalbox/runs';
import type { Consumer, ConsumerCall, ConsumerTarget } from './consumer.js';
import { completed, type Execution, outputOf } from './execution.js';

/** Models as consumers of test runs. */
@Injectable()
export class ModelConsumer implements Consumer {
  constructor(
    private readonly bus: BusClient,
    private readonly schemas: SchemaChecker,
  ) {}

  async find(config: Config, caller: Caller): Promise<ConsumerTarget> {
    const { model, response_format, application_id, intent_id } = config;
    await this.schemas.requireGoodFormat(caller.companyId, response_format, 'consumer_config.response_format');
    const found = await this.bus.call(models.endpoints.getModel, { model_id: String(model) }, caller);
    if (application_id != null) await this.bus.call(applications.endpoints.getApplication, { application_id }, caller);
    if (intent_id != null) {
      if (application_id == null) throw invalidField('consumer_config.application_id', 'is required with intent_id');
      await this.bus.call(intents.endpoints.getIntent, { application_id, intent_id }, caller);
    }
    return { id: found.id, version: null, name: found.model_name, secrets: [] };
  }

  async execute({
    run,
    companyId,
    call_id,
    test_set_item_id,
    adapted_input,
    signal,
  }: ConsumerCall): Promise<Execution> {
    const config = run.consumer_config as unknown as Config;
    const { temperature, max_tokens, response_format } = config;
    const call: ChatCall = {
      model: run.target_name,
      application_id: config.application_id ?? null,
      messages: adapted_input['messages'] as Message[],
      ...(temperature == null ? {} : { temperature }),
      ...(max_tokens == null ? {} : { max_tokens }),
      ...(response_format ? { response_format } : {}),
      request_id: call_id,
      request_type: 'SYNTHETIC',
      origin: 'TEST',
      origin_id: String(run.no),
      metadata: { test_run_id: run.no, test_set_item_id },
    };
    const { message, request_id } = await retriedCall(companyId, signal, async (caller) => {
      const { body } = await this.bus.forward(chat.endpoints.complete, call, caller, signal);
      return JSON.parse(Buffer.from(body).toString()) as ChatResult;
    });
    const asksJson = response_format != null && response_format.type !== 'text';
    return completed(outputOf(message, asksJson), { request_id });
  }
}
