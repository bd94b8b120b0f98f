import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { chat, type ChatResult } from '@signalbox/contracts';
import { retriedCall } from '@signalbox/runs';
import { ScriptHostError } from '@signalbox/scripts';
import type { HostContext, HostMember } from './host-call.js';
import { ModelCall } from './model-call.js';

/** `ctx.chat.completions.create`: recorded as a request of the run by the traffic service. */
@Injectable()
export class ModelCalls implements HostMember {
  constructor(private readonly bus: BusClient) {}

  async call(context: HostContext, [request]: readonly unknown[]): Promise<unknown> {
    const { job, signal } = context;
    const call = ModelCall.begin(context, request);
    if (call.asksStream) throw new ScriptHostError('TypeError', 'stream is for ctx.chat.completions.stream', 400);
    try {
      const result = await retriedCall(
        job.companyId,
        signal,
        async (caller) => {
          const { body } = await this.bus.forward(chat.endpoints.complete, call.input, caller, signal);
          return JSON.parse(Buffer.from(body).toString()) as ChatResult;
        },
        call.chain,
      );
      call.answered(result);
      return result.completion;
    } catch (error) {
      signal.throwIfAborted();
      throw call.failed(error);
    }
  }
}
