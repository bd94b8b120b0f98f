import { Serves } from '@signalbox/bus';
import {
  type Caller,
  type CallTo,
  chat,
  type ChatCall,
  type ChatResult,
  Chunks,
  type Handlers,
} from '@signalbox/contracts';
import { RequestLog } from '../request-log/request-log.js';
import type { Parameters } from './backends/completion-backend.js';
import { CallTargets } from './scope/call-targets.js';
import { parametersOf } from './chat-call.js';
import { ModelBackend } from './backends/model-backend.js';
import { RepeatedCalls } from './repeated-calls.js';
import { ProviderClients } from './backends/provider-clients.js';
import { ServiceCall } from './service-call.js';

type C = typeof chat;

/** Model calls of the other services. */
@Serves(chat)
export class ChatHandlers implements Handlers<C> {
  constructor(
    private readonly targets: CallTargets,
    private readonly clients: ProviderClients,
    private readonly log: RequestLog,
    private readonly repeated: RepeatedCalls,
  ) {}

  async complete({ input, caller, signal = neverAborted() }: CallTo<C, 'complete'>): Promise<ChatResult> {
    const call = async (): Promise<ChatResult> => (await this.prepare(input, caller)).complete(signal);
    const { request_id } = input;
    return request_id === undefined ? call() : this.repeated.once(caller.companyId, request_id, call);
  }

  async stream({ input, caller, signal = neverAborted() }: CallTo<C, 'stream'>): Promise<Chunks> {
    return new Chunks((await this.prepare(input, caller)).lines(signal));
  }

  // Chosen: a call that names no callable model or application is refused before it becomes a recorded request.
  private async prepare(call: ChatCall, caller: Caller): Promise<ServiceCall> {
    this.log.requireRoom();
    const began = Date.now();
    const { application_id: id } = call;
    const application = id == null ? null : await this.targets.application(caller, id);
    const target = await this.targets.model(caller, call.model ?? application?.model);
    const by = new ModelBackend(target, this.clients, undefined);
    const parameters = parametersOf(call) as unknown as Parameters;
    return new ServiceCall(this.log, { call, caller, by, parameters, began });
  }
}

const neverAborted = (): AbortSignal => new AbortController().signal;
