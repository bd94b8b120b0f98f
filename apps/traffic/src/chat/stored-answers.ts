import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller, completions, InputOf, StoredCompletion } from '@signalbox/contracts';
import { evaluationAfter } from './answer-evaluation.js';
import type { CallScope } from './scope/call-scope.js';
import { type ProviderReply, usageOf } from './chat-call.js';
import { parametersOfCall } from './completion-call.js';
import { newMessagesIn, newSessionId, SessionClaims } from '../sessions/index.js';
import {
  type FinishedCall,
  recordOf,
  type RequestRecord,
  RequestWriter,
  scrubbedCall,
} from '../request-records/index.js';

type BackendAnswer = InputOf<typeof completions.endpoints.storeCompletion>;

export interface ScopedAnswer {
  given: BackendAnswer;
  place: CallScope;
}

@Injectable()
export class StoredAnswers {
  constructor(
    private readonly requests: RequestWriter,
    private readonly sessions: SessionClaims,
  ) {}

  /**
   * Each once per `request_id`, all of them or none. No client waits for a model here, so answers go straight to the
   * database: what is acknowledged is committed.
   */
  async store(caller: Caller, answers: readonly ScopedAnswer[]): Promise<StoredCompletion[]> {
    for (const { given, place } of answers) {
      const { session_id } = given.chat_completion_request;
      if (session_id !== undefined) await this.sessions.claim(caller.companyId, session_id, place.applicationId);
    }
    const records = answers.map((answer) => recordFrom(answer, caller.companyId));
    const created = await this.requests.insertOnce(caller, records);
    return records.map(({ request_id }, at) => ({ request_id, created: created[at] === true }));
  }
}

function recordFrom({ given, place }: ScopedAnswer, companyId: number): RequestRecord {
  const { chat_completion_request: call, chat_completion_response: response, timing } = given;
  const answer = plain(response) as ProviderReply & { model?: unknown };
  const finished: FinishedCall = {
    requestId: call.request_id ?? randomUUID(),
    companyId,
    place,
    sessionId: call.session_id ?? newSessionId(),
    inSession: true,
    referenceId: call.reference_id ?? null,
    requestType: 'PROD',
    inferenceLocation: 'CLIENT',
    model: call.model ?? (typeof answer.model === 'string' ? answer.model.slice(0, 200) : 'unknown'),
    provider: 'client',
    metadata: call.metadata ?? {},
    params: parametersOfCall(call),
    newMessages: newMessagesIn(call.messages),
    answer,
    failure: null,
    fallback: null,
    usage: usageOf(answer, null),
    firstTokenMs: timing?.first_token_time_ms ?? null,
    responseMs: timing?.response_time_ms ?? null,
    began: Date.now(),
    evaluation: evaluationAfter(call),
  };
  return recordOf(scrubbedCall(finished, call.secrets));
}

/** Includes keys that the platform does not know. */
function plain(response: BackendAnswer['chat_completion_response']): object {
  const { $rest, choices } = response;
  return {
    ...$rest,
    choices: choices.map(({ $rest: more, message }) => {
      const { $rest: unknown, ...known } = message;
      return { ...more, message: { ...unknown, ...known } };
    }),
  };
}
