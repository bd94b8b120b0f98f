import { Serves, WithHeaders } from '@signalbox/bus';
import {
  type Call,
  type Caller,
  type CallTo,
  Chunks,
  type Completion,
  type CompletionCall,
  completions,
  type Handlers,
} from '@signalbox/contracts';
import { type ScopedAnswer, StoredAnswers } from './stored-answers.js';
import { newSessionId } from '../sessions/index.js';
import { BoundAgents } from './scope/bound-agents.js';
import { CallScopes } from './scope/call-scope.js';
import { replyOf } from './completion-call.js';
import { CompletionCalls, headersOf } from './completion-calls.js';
import type { Prepared } from './finished-call.js';
import { configured } from './scope/configured-call.js';
import { StreamedCall } from './streams/streamed-call.js';

type C = typeof completions;

@Serves(completions)
export class CompletionHandlers implements Handlers<C> {
  constructor(
    private readonly places: CallScopes,
    private readonly agents: BoundAgents,
    private readonly calls: CompletionCalls,
    private readonly stored: StoredAnswers,
  ) {}

  async createCompletion({
    input,
    caller,
    signal = neverAborted(),
  }: CallTo<C, 'createCompletion'>): Promise<Completion> {
    const prepared = await this.prepare(input, caller);
    const { answer, facts } = await this.calls.complete(prepared, signal);
    // The bus removes the headers again; the contract declares only the body.
    return new WithHeaders(replyOf(answer, facts), headersOf(prepared)) as unknown as Completion;
  }

  async streamCompletion({ input, caller, signal = neverAborted() }: Call<CompletionCall>): Promise<Chunks> {
    const prepared = await this.prepare(input, caller);
    const won = await this.calls.open(prepared, signal);
    return new Chunks(new StreamedCall(this.calls, prepared, won, signal), headersOf(prepared));
  }

  async storeCompletion({ input, caller }: CallTo<C, 'storeCompletion'>) {
    return (await this.stored.store(caller, [await this.placed(input, caller)]))[0]!;
  }

  async storeCompletions({ input, caller }: CallTo<C, 'storeCompletions'>) {
    const placed: ScopedAnswer[] = [];
    // Sequential, so that unknown names are created once.
    for (const item of input.items) placed.push(await this.placed(item, caller));
    return this.stored.store(caller, placed);
  }

  private async placed(given: ScopedAnswer['given'], caller: Caller): Promise<ScopedAnswer> {
    const { chat_completion_request: call } = given;
    const { config, ...place } = await this.places.of(caller, call);
    const metadata = { ...config.metadata, ...call.metadata };
    const evaluation_enabled = call.evaluation_enabled ?? config.evaluation_enabled ?? null;
    const apply_corrections = call.apply_corrections ?? config.apply_corrections ?? null;
    const request = { ...call, metadata, evaluation_enabled, apply_corrections };
    return { given: { ...given, chat_completion_request: request }, place };
  }

  private async prepare(asked: CompletionCall, caller: Caller): Promise<Prepared> {
    const place = await this.places.of(caller, asked);
    const { config, agentId } = place;
    const named = asked.model != null || agentId === null;
    const given = named ? asked : { ...asked, model: await this.agents.nameOf(agentId, caller) };
    const { call, limitMs } = configured(given, config);
    const sessionId = call.session_id ?? newSessionId();
    // The gateway has created the request id, so that it can return it after any failure here.
    const { requestId } = caller;
    return this.calls.prepare({ requestId, caller, call, place, sessionId, requestType: 'PROD', limitMs });
  }
}

const neverAborted = (): AbortSignal => new AbortController().signal;
