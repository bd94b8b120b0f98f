import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type Caller,
  conflict,
  type EvaluationTrial,
  type InputOf,
  type RecordedRequest,
  type sentinels,
} from '@signalbox/contracts';
import { type JudgedCall, SentinelJudge, Sentinels } from '../judging/index.js';
import { RequestReader } from '../request-reads/index.js';

type Tested = InputOf<typeof sentinels.endpoints.testSentinel>;

interface TriedCall extends JudgedCall {
  request: Pick<RecordedRequest, 'request_id' | 'session_id' | 'application_id' | 'intent_id'> | null;
}

@Injectable()
export class SentinelTrials {
  constructor(
    private readonly sentinels: Sentinels,
    private readonly requests: RequestReader,
    private readonly judge: SentinelJudge,
  ) {}

  async run(
    caller: Caller,
    tested: Tested,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<EvaluationTrial> {
    const { companyId, deadline } = caller;
    const sentinel = await this.sentinels.one(companyId, tested.sentinel_id);
    const { request, params, response } = await this.callOf(companyId, tested);
    const requestId = request?.request_id ?? null;
    const judged = { companyId, requestId, params, response, correct: true, deadline };
    const verdict = await this.judge.judge(sentinel, judged, signal);
    return {
      evaluation_request_id: randomUUID(),
      evaluation_id: null,
      request_id: requestId,
      session_id: request?.session_id ?? null,
      application_id: request?.application_id ?? null,
      intent_id: request?.intent_id ?? null,
      intent_group_id: sentinel.intent_group_id,
      sentinel_id: sentinel.id,
      sentinel_name: sentinel.sentinel_name,
      severity: sentinel.severity,
      ...verdict,
    };
  }

  private async callOf(companyId: number, { request_id, messages = [], response }: Tested): Promise<TriedCall> {
    if (request_id === undefined) return { request: null, params: { messages }, response };
    const request = JSON.parse((await this.requests.get(companyId, request_id)).text) as RecordedRequest;
    if (request.response == null) throw conflict(`request ${request_id} is ${request.status} and has no response`);
    return { request, params: request.params ?? {}, response: request.response };
  }
}
