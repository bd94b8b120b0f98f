import { randomUUID } from 'node:crypto';
import { Serves } from '@signalbox/bus';
import {
  type Call,
  type Caller,
  type CallTo,
  CompletionCall,
  conflict,
  earlierReply,
  type Handlers,
  type InputOf,
  parse,
  type RecordedRequest,
  requests,
} from '@signalbox/contracts';
import { EvaluationResults } from '../judging/index.js';
import { RequestEvaluation } from '../evaluations/index.js';
import { CompletionCalls } from '../chat/index.js';
import { correct, RequestReader, requireCorrected } from '../request-reads/index.js';
import { KEY_KEPT_MS, rerunIdOf } from './rerun-id.js';
import { conditionsOf } from '../request-records/index.js';

type C = typeof requests;
type Rerun = InputOf<C['endpoints']['rerunRequest']>;

/** Reads and changes wait for the calls that were answered before them. */
@Serves(requests)
export class RequestHandlers implements Handlers<C> {
  constructor(
    private readonly requests: RequestReader,
    private readonly calls: CompletionCalls,
    private readonly evaluation: RequestEvaluation,
    private readonly results: EvaluationResults,
  ) {}

  async listRequests({ input, caller }: Call<InputOf<C['endpoints']['listRequests']>>) {
    return this.requests.list(caller.companyId, { ...input, filters: conditionsOf(input) }, input.include_body);
  }

  searchRequests(call: CallTo<C, 'searchRequests'>) {
    return this.listRequests(call);
  }

  async getRequest({ input, caller }: CallTo<C, 'getRequest'>) {
    return this.requests.get(caller.companyId, input.request_id);
  }

  async deleteRequest({ input, caller }: CallTo<C, 'deleteRequest'>) {
    return this.requests.remove(caller, input.request_id);
  }

  async getRequestResponse({ input, caller }: CallTo<C, 'getRequestResponse'>) {
    return this.requests.responses(caller.companyId, input.request_id);
  }

  async correctRequest({ input: { request_id, choices, note }, caller }: CallTo<C, 'correctRequest'>) {
    const given = { choices, note, keyId: caller.keyId, now: Date.now() };
    return this.requests.correct(caller, request_id, (request) => correct(request, given));
  }

  async removeCorrection({ input: { request_id }, caller }: CallTo<C, 'removeCorrection'>) {
    await this.requests.correct(caller, request_id, (request) => (requireCorrected(request), null));
    return { id: request_id, deleted: true };
  }

  // A rerun belongs to the application and intent of its original and to no session: sessions tell what users saw.
  async rerunRequest({ input, caller }: CallTo<C, 'rerunRequest'>) {
    const earlier = earlierReply<RecordedRequest>(caller);
    if (earlier) return earlier;
    const requestId = rerunIdOf(caller);
    const known = caller.idempotency ? await this.requests.find(caller.companyId, requestId) : null;
    // An earlier try has recorded the answer and has lost its process or the database before it replied.
    if (known && isAnswerOfKey(JSON.parse(known.text) as RecordedRequest)) return known;
    const asked = await this.repeated(input, caller, known ? randomUUID() : requestId);
    const prepared = await this.calls.prepare(asked);
    const { facts } = await this.calls.complete(prepared, new AbortController().signal);
    // Not by way of the spool, which may have a backlog. The copy that arrives through the spool is ignored.
    return this.requests.insertAndRead(caller, facts.record);
  }

  evaluateRequest({ input, caller, signal = new AbortController().signal }: CallTo<C, 'evaluateRequest'>) {
    return this.evaluation.evaluate(caller, input.request_id, input.sentinel_ids, signal);
  }

  async listRequestEvaluations({ input, caller }: CallTo<C, 'listRequestEvaluations'>) {
    await this.requests.require(caller.companyId, input.request_id);
    return this.results.list(caller.companyId, input);
  }

  private async repeated({ request_id, model, messages, config = {} }: Rerun, caller: Caller, requestId: string) {
    const original = await this.requests.repeatable(caller.companyId, request_id);
    const { metadata, timeout_ms, system_prompt, ...parameters } = config;
    const said = messages ?? (original.params.messages as unknown[] | undefined);
    if (!said) throw conflict(`the content of request ${request_id} was deleted`);
    const system = system_prompt ? [{ role: 'system', content: system_prompt }, ...withoutSystem(said)] : said;
    const call = parse(CompletionCall, {
      ...original.params,
      // Both names set the same limit.
      ...(parameters.max_tokens === undefined ? {} : { max_completion_tokens: null }),
      ...parameters,
      stream_options: null,
      messages: system,
      model: model ?? config.model ?? original.model,
      metadata: { ...original.metadata, ...metadata },
      reference_id: original.reference_id,
    });
    return {
      requestId,
      caller,
      call,
      place: {
        applicationId: original.application_id,
        intentId: original.intent_id,
        intentGroupId: original.intent_group_id,
      },
      sessionId: null,
      requestType: 'RERUN' as const,
      rerunOf: request_id,
      ...(timeout_ms == null ? {} : { limitMs: timeout_ms }),
    };
  }
}

const isAnswerOfKey = ({ status, date_created }: RecordedRequest): boolean =>
  status === 'COMPLETED' && date_created > Date.now() - KEY_KEPT_MS;

const SYSTEM_ROLES: readonly unknown[] = ['system', 'developer'];

const withoutSystem = (messages: unknown[]): unknown[] =>
  messages.filter((message) => !SYSTEM_ROLES.includes((message as { role?: unknown }).role));
