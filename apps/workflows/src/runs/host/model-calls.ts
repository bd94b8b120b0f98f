import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { chat, type ChatResult } from '@signalbox/contracts';
import { retriedCall } from '@signalbox/runs';
import type { RunningRun } from '../running-run.js';
import type { HostContext, HostMember } from './host-call.js';
import { ModelCall } from './model-call.js';

/** `ctx.chat.completions.create`: a model call through the traffic service, recorded as a request of the run. */
@Injectable()
export class ModelCalls implements HostMember {
  constructor(private readonly bus: BusClient) {}

  async call(context: HostContext, [request]: readonly unknown[]): Promise<unknown> {
    const { job, run, signal } = context;
    const call = ModelCall.begin(context, request);
    try {
      const result = await retriedCall(job.companyId, signal, async (caller) => {
        const { body } = await this.bus.forward(chat.endpoints.complete, call.input, caller, signal);
        return JSON.parse(Buffer.from(body).toString()) as ChatResult;
      });
      call.answered(result);
      return completionOf(result, run);
    } catch (error) {
      signal.throwIfAborted();
      throw call.failed(error);
    }
  }
}

const completionOf = (result: ChatResult, run: RunningRun): object => ({
  id: `chatcmpl-${result.request_id}`,
  object: 'chat.completion',
  created: Math.floor(Date.now() / 1000),
  model: result.model,
  choices: [{ index: 0, message: result.message, finish_reason: result.finish_reason }],
  usage: result.usage,
  request_id: result.request_id,
  session_id: run.session_id,
});
