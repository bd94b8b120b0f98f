import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import { CompanyProfiles } from '@signalbox/clients';
import { evaluateGroup, TextTests } from '@signalbox/conditions';
import { ApiError, chat, type ChatResult, type RecordedRequest } from '@signalbox/contracts';
import { failureClassOf } from '../../judging/index.js';
import {
  answerOf,
  failed,
  type Judgement,
  TAG_JUDGEMENT,
  tagJudgementMessages,
  textOfRequest,
  verdict,
} from './tag-judgement.js';
import { type AppliedRule, isInScope } from './tag-rule.js';

/** Includes the retries of the provider. */
const CALL_MS = 150_000;

/** Model calls are recorded as requests of type SYNTHETIC and origin EVALUATION. */
@Injectable()
export class TagJudge {
  constructor(
    private readonly bus: BusClient,
    private readonly profiles: CompanyProfiles,
    private readonly tests: TextTests,
  ) {}

  /** Throws only when a dependency of the platform is down. */
  async judge(companyId: number, rule: AppliedRule, request: RecordedRequest, signal: AbortSignal): Promise<Judgement> {
    if (!isInScope(rule, request)) return verdict(false);
    try {
      return rule.method === 'LLM'
        ? await this.byModel(companyId, rule, request, signal)
        : await this.byConditions(companyId, rule, request);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError) || error.kind === 'unavailable') throw error;
      return failed(failureClassOf(error), error.message);
    }
  }

  private async byConditions(companyId: number, { conditions }: AppliedRule, request: RecordedRequest) {
    if (!conditions) return verdict(false);
    const input = { json: request, text: textOfRequest(request) };
    return verdict(await evaluateGroup(companyId, conditions, input, this.tests));
  }

  private async byModel(companyId: number, rule: AppliedRule, request: RecordedRequest, signal: AbortSignal) {
    const { settings } = await this.profiles.ofCompany(companyId);
    const call = {
      model: settings.judge_model,
      messages: tagJudgementMessages(rule.prompt ?? '', request),
      response_format: TAG_JUDGEMENT,
      request_type: 'SYNTHETIC',
      origin: 'EVALUATION',
      metadata: { tag_rule_id: rule.id, judged_request_id: request.request_id },
    };
    const caller = serviceCaller(companyId, Date.now() + CALL_MS);
    const { body } = await this.bus.forward(chat.endpoints.complete, call, caller, signal);
    const answer = answerOf(JSON.parse(Buffer.from(body).toString()) as ChatResult);
    return answer === null
      ? failed('judge', `model ${settings.judge_model} answered with something other than a judgement`)
      : verdict(answer);
  }
}
