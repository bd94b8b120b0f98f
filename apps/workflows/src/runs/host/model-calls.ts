import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { ApiError, chat, type ChatResult, parse } from '@signalbox/contracts';
import { retriedCall, stripUnstorable } from '@signalbox/runs';
import { ScriptHostError } from '@signalbox/scripts';
import type { RunningRun } from '../running-run.js';
import { type HostContext, hostError, type HostMember, nextNumber, objectArgument } from './host-call.js';

/** The fields of a request that the platform takes; the rest is sent to the provider as it is. */
const OWN_FIELDS = ['model', 'messages', 'tools', 'tool_choice', 'temperature', 'max_tokens', 'response_format'];
/** Fields of chat completions that have no meaning for a call of a run. */
const IGNORED = ['stream', 'stream_options', 'session_id', 'metadata', 'reference_id', 'application', 'intent'];

/** Requests of test runs and monitors are not production traffic; nested runs count as their root. */
export const requestTypeOf = ({ root_trigger }: RunningRun): 'PROD' | 'SYNTHETIC' =>
  root_trigger === 'TEST' || root_trigger === 'MONITOR' ? 'SYNTHETIC' : 'PROD';

/** `ctx.chat.completions.create`: a model call through the traffic service, recorded as a request of the run. */
@Injectable()
export class ModelCalls implements HostMember {
  constructor(private readonly bus: BusClient) {}

  async call(context: HostContext, [request]: readonly unknown[]): Promise<unknown> {
    const { run, secrets, writer, signal } = context;
    const step = nextNumber(context, 'model');
    const input = inputOf(run, stripUnstorable(objectArgument(request, 'the request'), secrets));
    const began = Date.now();
    try {
      const result = await retriedCall(context.job.companyId, signal, async (caller) => {
        const { body } = await this.bus.forward(chat.endpoints.complete, input, caller, signal);
        return JSON.parse(Buffer.from(body).toString()) as ChatResult;
      });
      const { model, request_id, usage, finish_reason } = result;
      const answered = { step, usage, finish_reason, duration_ms: Date.now() - began };
      writer.add({ timeline: { type: 'model_called', data: { step, model, request_id } }, at: began });
      writer.add({ timeline: { type: 'model_answered', data: answered } }, usage);
      return completionOf(result, run);
    } catch (error) {
      signal.throwIfAborted();
      const { model = null } = input as { model?: string | null };
      writer.add({ timeline: { type: 'model_called', data: { step, model, request_id: null } }, at: began });
      const failure_class = error instanceof ApiError && error.kind === 'timeout' ? 'timeout' : 'provider';
      const failed = { step, usage: null, finish_reason: null, duration_ms: Date.now() - began, failure_class };
      writer.add({ timeline: { type: 'model_answered', data: failed } });
      throw hostError(error, 'ProviderError');
    }
  }
}

function inputOf(run: RunningRun, request: Record<string, unknown>): object {
  const given = Object.entries(request).filter(([name, value]) => !IGNORED.includes(name) && value !== undefined);
  const own = given.filter(([name]) => OWN_FIELDS.includes(name));
  const parameters = Object.fromEntries(given.filter(([name]) => !OWN_FIELDS.includes(name)));
  const fields = {
    ...Object.fromEntries(own),
    application_id: run.application_id,
    session_id: run.session_id,
    request_type: requestTypeOf(run),
    origin: 'WORKFLOW',
    origin_id: run.id,
    metadata: { run_id: run.id, workflow_id: run.workflow_id },
    ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
  };
  try {
    return parse(chat.endpoints.complete.input, fields);
  } catch (error) {
    throw error instanceof ApiError ? new ScriptHostError('TypeError', error.message, 400) : error;
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
