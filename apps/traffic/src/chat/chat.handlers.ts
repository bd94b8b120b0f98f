import { randomUUID } from 'node:crypto';
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
import { completionCallOf, originOf } from './chat-call.js';
import { fittingMessages } from './context-window.js';
import { CompletionCalls } from './completion-calls.js';
import { RepeatedCalls } from './repeated-calls.js';
import { BoundAgents } from './scope/bound-agents.js';
import { CallTargets } from '../call-targets/index.js';
import { CallScopes } from './scope/call-scope.js';
import { configured } from './scope/configured-call.js';
import { ServiceCall } from './service-call.js';

type C = typeof chat;

@Serves(chat)
export class ChatHandlers implements Handlers<C> {
  constructor(
    private readonly scopes: CallScopes,
    private readonly targets: CallTargets,
    private readonly agents: BoundAgents,
    private readonly calls: CompletionCalls,
    private readonly repeated: RepeatedCalls,
  ) {}

  async complete({ input, caller, signal = neverAborted() }: CallTo<C, 'complete'>): Promise<ChatResult> {
    const call = async (stop: AbortSignal): Promise<ChatResult> => (await this.prepare(input, caller)).complete(stop);
    const { request_id } = input;
    return request_id === undefined ? call(signal) : this.repeated.once(caller.companyId, request_id, signal, call);
  }

  async stream({ input, caller, signal = neverAborted() }: CallTo<C, 'stream'>): Promise<Chunks> {
    return new Chunks((await this.prepare(input, caller)).lines(signal));
  }

  // Calls that name no callable model or application are refused here, before they become recorded requests.
  private async prepare(given: ChatCall, caller: Caller): Promise<ServiceCall> {
    const madeBy = originOf(given);
    const scope = await this.scopes.ofService(caller, given);
    const asked = completionCallOf(given);
    // The configuration of an application applies only to callers that work on its behalf.
    const { call, limitMs } = scope.applicationId === null ? { call: asked } : configured(asked, scope.config);
    if (call.model == null && scope.agentId !== null && madeBy.origin === 'WORKFLOW')
      call.model = await this.agents.nameOf(scope.agentId, caller);
    if (given.history) {
      // The system prompt of the configuration comes first.
      const from = given.history.from + call.messages.length - given.messages.length;
      const { contextWindow } = await this.targets.model(caller, call.model);
      call.messages = fittingMessages(call, { ...given.history, from }, contextWindow);
    }
    const prepared = await this.calls.prepare({
      requestId: given.request_id ?? randomUUID(),
      caller,
      call,
      place: scope,
      sessionId: given.session_id ?? null,
      requestType: given.request_type,
      limitMs,
      madeBy,
    });
    return new ServiceCall(this.calls, prepared, given.with_completion === true);
  }
}

const neverAborted = (): AbortSignal => new AbortController().signal;
