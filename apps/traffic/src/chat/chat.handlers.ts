import { randomUUID } from 'node:crypto';
import { Serves } from '@signalbox/bus';
import { type Caller, type CallTo, chat, type ChatCall, type ChatResult, type Handlers } from '@signalbox/contracts';
import { type ChatCompletion, type ChatRequest, costOf } from '@signalbox/llm';
import { RequestLog } from '../requests/request-log.js';
import { recordOf } from '../requests/request-record.js';
import { callContext } from './call-context.js';
import { type CallFailure, failureOf } from './call-failure.js';
import { type CallTarget, CallTargets } from './call-targets.js';
import { parametersOf, resultOf, usageOf } from './chat-call.js';
import { ProviderClients } from './provider-clients.js';

type C = typeof chat;
type Parameters = ReturnType<typeof parametersOf>;

/** Every model call of the platform. */
@Serves(chat)
export class ChatHandlers implements Handlers<C> {
  constructor(
    private readonly targets: CallTargets,
    private readonly clients: ProviderClients,
    private readonly log: RequestLog,
  ) {}

  // Chosen: a call that names no callable model or application is refused before it becomes a recorded request.
  async complete({ input, caller }: CallTo<C, 'complete'>): Promise<ChatResult> {
    this.log.requireRoom();
    const began = Date.now();
    const { application_id: id } = input;
    const application = id == null ? null : await this.targets.application(caller, id);
    const target = await this.targets.model(caller, input.model ?? application?.model);
    return this.recorded(target, input, caller, began);
  }

  private async recorded(target: CallTarget, call: ChatCall, caller: Caller, began: number): Promise<ChatResult> {
    const params = parametersOf(call);
    const { answer, failure } = await this.answer(target, params, caller);
    const requestId = randomUUID();
    const usage = usageOf(answer, priceOf(target, answer));
    await this.log.append(
      recordOf({
        requestId,
        companyId: caller.companyId,
        place: { applicationId: call.application_id ?? null, intentId: null, intentGroupId: null },
        sessionId: call.session_id ?? null,
        agentId: call.agent_id ?? null,
        // The session is the caller's own, such as that of an agent.
        inSession: false,
        referenceId: call.reference_id ?? null,
        requestType: call.request_type,
        inferenceLocation: 'SERVER',
        model: target.model,
        provider: target.access.provider_name,
        metadata: call.metadata,
        params,
        answer,
        failure,
        fallback: null,
        usage,
        firstTokenMs: null,
        responseMs: Date.now() - began,
        began,
      }),
    );
    if (answer === null) throw failure.error;
    return resultOf(requestId, target.model, answer, usage);
  }

  private async answer(target: CallTarget, params: Parameters, caller: Caller): Promise<Outcome> {
    const { access, providerModel } = target;
    try {
      const client = await this.clients.of(access, caller);
      const context = callContext(access.timeout_ms, caller.deadline, new AbortController().signal);
      const request = { ...params, model: providerModel } as unknown as ChatRequest;
      return { answer: await client.complete(request, context), failure: null };
    } catch (error) {
      return { answer: null, failure: failureOf(error) };
    }
  }
}

type Outcome = { answer: ChatCompletion; failure: null } | { answer: null; failure: CallFailure };

/** What the call cost by the counts that are recorded with it. */
function priceOf({ prices }: CallTarget, answer: ChatCompletion | null): number | null {
  return answer?.usage ? costOf({ ...usageOf(answer, null) }, prices) : null;
}
