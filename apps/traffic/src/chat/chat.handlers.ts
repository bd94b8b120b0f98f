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

/** Model calls of the other services. */
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
    const call = async (): Promise<ChatResult> => (await this.prepare(input, caller)).complete(signal);
    const { request_id } = input;
    return request_id === undefined ? call() : this.repeated.once(caller.companyId, request_id, call);
  }

  async stream({ input, caller, signal = neverAborted() }: CallTo<C, 'stream'>): Promise<Chunks> {
    return new Chunks((await this.prepare(input, caller)).lines(signal));
  }

  // Chosen: a call that names no callable model or application is refused before it becomes a recorded request.
  private async prepare(given: ChatCall, caller: Caller): Promise<ServiceCall> {
    const madeBy = originOf(given);
    const scope = await this.scopes.ofService(caller, given);
    const asked = completionCallOf(given);
    // The configuration of an application is for those who work on its behalf; others say all they need.
    const { call, limitMs } = scope.applicationId === null ? { call: asked } : configured(asked, scope.config);
    if (call.model == null && scope.agentId !== null && madeBy.origin === 'WORKFLOW')
      call.model = await this.agents.nameOf(scope.agentId, caller);
    if (given.history) {
      // A system prompt of the configuration stands before all.
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
