import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller, completions, InputOf, StoredCompletion } from '@signalbox/contracts';
import type { CallPlace } from '../chat/call-place.js';
import { type Answered, usageOf } from '../chat/chat-call.js';
import { parametersOfCall } from '../chat/completion-call.js';
import { SessionClaims } from '../sessions/session-claims.js';
import { recordOf } from './request-record.js';
import { Requests } from './requests.repository.js';

type Given = InputOf<typeof completions.endpoints.storeCompletion>;

/** Answers that clients made elsewhere and want recorded. */
@Injectable()
export class StoredAnswers {
  constructor(
    private readonly requests: Requests,
    private readonly sessions: SessionClaims,
  ) {}

  /** Records an answer once per `request_id`; nobody waits for a model here, so it goes straight to the database. */
  async store(caller: Caller, place: CallPlace, given: Given): Promise<StoredCompletion> {
    const { chat_completion_request: call, chat_completion_response: response, timing } = given;
    const requestId = call.request_id ?? randomUUID();
    const sessionId = call.session_id ?? randomUUID();
    if (call.session_id !== undefined) await this.sessions.claim(caller.companyId, sessionId, place.applicationId);
    const answer = plain(response) as Answered & { model?: unknown };
    const record = recordOf({
      requestId,
      companyId: caller.companyId,
      place,
      sessionId,
      inSession: true,
      referenceId: call.reference_id ?? null,
      requestType: 'PROD',
      inferenceLocation: 'CLIENT',
      model: call.model ?? (typeof answer.model === 'string' ? answer.model.slice(0, 200) : 'unknown'),
      provider: 'client',
      metadata: call.metadata ?? {},
      params: parametersOfCall(call),
      answer,
      failure: null,
      fallback: null,
      usage: usageOf(answer, null),
      firstTokenMs: timing?.first_token_time_ms ?? null,
      responseMs: timing?.response_time_ms ?? null,
      began: Date.now(),
    });
    return { request_id: requestId, created: await this.requests.insertOnce(caller, record) };
  }
}

/** The answer as it was sent: keys that we do not know included. */
function plain(response: Given['chat_completion_response']): object {
  const { $rest, choices } = response;
  return {
    ...$rest,
    choices: choices.map(({ $rest: more, message }) => {
      const { $rest: unknown, ...known } = message;
      return { ...more, message: { ...unknown, ...known } };
    }),
  };
}
