import { Injectable } from '@nestjs/common';
import { BusClient, CompanyProfiles } from '@signalbox/bus';
import { SchemaChecker, TextTests, TOO_COSTLY } from '@signalbox/conditions';
import {
  ApiError,
  type Caller,
  chat,
  type ChatResult,
  type CriterionResult,
  type EvaluationCriteria,
} from '@signalbox/contracts';
import { awaitedWork, retriedCall } from '@signalbox/runs';
import { type Check, checkContains, checkExact, checkFields, patternOf } from './criterion-checks.js';
import { cutNotice, type Judged, judgementFormat, judgementMessages, judgementOf } from './judgement.js';
import { jsonOf, textOf } from './output.js';

/** The part of a criterion that a judgement uses. */
export type Criterion = Pick<
  EvaluationCriteria,
  'id' | 'name' | 'criteria_type' | 'method' | 'prompt' | 'config' | 'pass_threshold' | 'weight'
>;

/** On whose behalf a judgement is made. */
export interface JudgeContext {
  companyId: number;
  originId: string;
  /** The id of the call of a model: a repeated judgement of a lost worker gets its answer. */
  requestId?: string;
  signal: AbortSignal;
}

class JudgeFailed extends Error {}

/** Judges outputs by criteria. */
@Injectable()
export class Judges {
  constructor(
    private readonly tests: TextTests,
    private readonly schemas: SchemaChecker,
    private readonly profiles: CompanyProfiles,
    private readonly bus: BusClient,
  ) {}

  /** The judgement of a criterion; null when it does not apply. Rejects when a dependency is down. */
  async judge(criterion: Criterion, judged: Judged, context: JudgeContext): Promise<CriterionResult | null> {
    const { id: criteria_id, name, pass_threshold: threshold, weight } = criterion;
    const used = { criteria_id, name, threshold, weight };
    try {
      const found = await this.scoreOf(criterion, judged, context);
      return found && { ...used, ...found, passed: found.score >= threshold };
    } catch (error) {
      const description = reasonOf(error);
      if (description === null) throw error;
      return { ...used, score: null, passed: null, failure_class: 'judge', description };
    }
  }

  /** The model that judges by a criterion; null for one that needs none. */
  modelOf(companyId: number, { method, config }: Criterion): Promise<string | null> {
    return method === 'LLM' ? this.judgeModel(companyId, config) : Promise.resolve(null);
  }

  private async judgeModel(companyId: number, { model }: Criterion['config']): Promise<string> {
    return model ?? (await this.profiles.ofCompany(companyId)).settings.judge_model;
  }

  private async scoreOf(criterion: Criterion, judged: Judged, context: JudgeContext) {
    if (criterion.method === 'LLM') return this.ask(criterion, judged, context);
    const check = await this.check(criterion, judged, context.companyId);
    return check && { score: check.passed ? 1 : 0, description: check.description };
  }

  private async check(
    { method, config }: Criterion,
    { expected, actual }: Judged,
    companyId: number,
  ): Promise<Check | null> {
    switch (method) {
      case 'EXACT':
        return expected && checkExact(expected, actual, config);
      case 'JSON_FIELDS':
        return expected && checkFields(expected, actual, config);
      case 'CONTAINS':
        return checkContains(actual, config);
      case 'REGEX': {
        const test = { operator: 'matches' as const, pattern: patternOf(config), text: textOf(actual) };
        const passed = await this.tests.passes(companyId, test);
        return { passed, description: `the output ${passed ? 'matches' : 'does not match'} the pattern` };
      }
      default:
        return this.checkSchema(companyId, config.schema ?? {}, jsonOf(actual));
    }
  }

  private async checkSchema(companyId: number, schema: object, value: unknown): Promise<Check> {
    if (value === undefined) return { passed: false, description: 'the output is no JSON' };
    const problem = await this.schemas.problemOf(companyId, schema, value);
    if (problem === TOO_COSTLY) throw new JudgeFailed(TOO_COSTLY);
    return {
      passed: problem === null,
      description: problem?.slice(0, MAX_DESCRIPTION) ?? 'the output fits the schema',
    };
  }

  private async ask({ criteria_type, prompt, config }: Criterion, judged: Judged, context: JudgeContext) {
    const { companyId, originId, requestId, signal } = context;
    const model = await this.judgeModel(companyId, config);
    const call = {
      model,
      messages: judgementMessages(criteria_type, prompt ?? '', judged),
      response_format: judgementFormat(criteria_type),
      temperature: 0,
      request_type: 'SYNTHETIC' as const,
      origin: 'EVALUATION' as const,
      origin_id: originId,
      ...(requestId === undefined ? {} : { request_id: requestId }),
      metadata: {},
    };
    const complete = async (caller: Caller): Promise<ChatResult> => {
      // It continues when this worker stops: the next one gets its answer.
      const { body } = await this.bus.forward(chat.endpoints.complete, call, caller);
      return JSON.parse(Buffer.from(body).toString()) as ChatResult;
    };
    // Under an id the call is made once, however often it is repeated.
    const { message } = await (requestId === undefined
      ? retriedCall(companyId, signal, complete)
      : awaitedWork({ companyId, callId: requestId, signal, call: complete, cancel: () => Promise.resolve() }));
    const judgement = judgementOf(criteria_type, message);
    if (!judgement) throw new JudgeFailed('the judge gave no usable verdict');
    const notice = cutNotice(judged);
    const description = notice === null ? judgement.reason : `${judgement.reason} (${notice})`;
    return { score: judgement.score, description };
  }
}

const MAX_DESCRIPTION = 4000;

/** Why a judge failed; null when a dependency is down or the error is our own. */
function reasonOf(error: unknown): string | null {
  if (error instanceof JudgeFailed) return error.message;
  if (!(error instanceof ApiError) || error.kind === 'unavailable' || error.kind === 'internal') return null;
  return error.message.slice(0, MAX_DESCRIPTION);
}
