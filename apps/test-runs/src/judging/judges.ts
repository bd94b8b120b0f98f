import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { CompanyProfiles } from '@signalbox/clients';
import { SchemaChecker, TextTests, TOO_COSTLY } from '@signalbox/conditions';
import {
  ApiError,
  type Caller,
  chat,
  type ChatResult,
  type CriterionResult,
  type EvaluationCriteria,
} from '@signalbox/contracts';
import { awaitedWork, CALL_MS, retriedCall } from '@signalbox/runs';
import { checkSteps, type ItemSteps, StepReader, StepsUnavailable } from '../steps/index.js';
import { type Check, checkContains, checkExact, checkFields, patternOf } from './criterion-checks.js';
import { checkCost, checkLatency } from './figures.js';
import { JudgeFailed } from './judge-failed.js';
import type { Judged } from './output.js';
import { cutNotice, judgementFormat, judgementMessages, judgementOf } from './judgement.js';
import { jsonOf, textOf } from './output.js';
import { scorerItem } from './scorer-item.js';
import { type LogLine, ScriptScorer } from './script-scorer.js';

export type Criterion = Pick<
  EvaluationCriteria,
  'id' | 'name' | 'criteria_type' | 'method' | 'prompt' | 'config' | 'pass_threshold' | 'weight'
>;

export interface JudgeContext {
  companyId: number;
  originId: string;
  /** The id of the model call: a repeated judgement of a lost worker gets its answer. */
  requestId?: string;
  signal: AbortSignal;
  /** By default they are read for each criterion. */
  steps?: () => Promise<ItemSteps>;
  log?: LogLine[];
}

interface Finding {
  score: number;
  description: string;
  /** By default whether the score reaches the threshold. */
  passed?: boolean;
}

@Injectable()
export class Judges {
  constructor(
    private readonly tests: TextTests,
    private readonly schemas: SchemaChecker,
    private readonly profiles: CompanyProfiles,
    private readonly bus: BusClient,
    private readonly scorer: ScriptScorer,
    private readonly steps: StepReader,
  ) {}

  /** Null when the criterion does not apply. Rejects when a dependency is down. */
  async judge(criterion: Criterion, judged: Judged, context: JudgeContext): Promise<CriterionResult | null> {
    const { id: criteria_id, name, pass_threshold: threshold, weight } = criterion;
    const used = { criteria_id, name, threshold, weight };
    try {
      const found = await this.scoreOf(criterion, judged, context);
      return found && { ...used, passed: found.score >= threshold, ...found };
    } catch (error) {
      const failed = failureOf(error);
      if (failed === null) throw error;
      return { ...used, score: null, passed: null, ...failed };
    }
  }

  modelOf(companyId: number, { method, config }: Criterion): Promise<string | null> {
    return method === 'LLM' ? this.judgeModel(companyId, config) : Promise.resolve(null);
  }

  private async judgeModel(companyId: number, { model }: Criterion['config']): Promise<string> {
    return model ?? (await this.profiles.ofCompany(companyId)).settings.judge_model;
  }

  private async scoreOf(criterion: Criterion, judged: Judged, context: JudgeContext): Promise<Finding | null> {
    if (criterion.method === 'LLM') return this.ask(criterion, judged, context);
    if (criterion.method === 'SCRIPT') return this.execute(criterion, judged, context);
    const check = await this.check(criterion, judged, context);
    return check && { score: check.passed ? 1 : 0, description: check.description };
  }

  private async check({ method, config }: Criterion, judged: Judged, context: JudgeContext): Promise<Check | null> {
    const { expected, actual, observed } = judged;
    const { companyId } = context;
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
      case 'STEPS':
        return checkSteps(companyId, config.checks ?? [], await this.stepsOf(judged, context), this.tests);
      case 'LATENCY':
        return checkLatency(observed, config);
      case 'COST':
        return checkCost(await this.costOf(judged, context), config);
      case 'JSON_SCHEMA':
        return this.checkSchema(companyId, config.schema ?? {}, jsonOf(actual));
      default:
        throw new JudgeFailed(`this version of the platform does not know the method ${method}`);
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

  /** JudgeFailed when the steps are unavailable. */
  private stepsOf({ observed }: Judged, { companyId, signal, steps }: JudgeContext): Promise<ItemSteps> {
    const { source_ref: ref, ended_at: endedAt } = observed;
    return this.orFailed(steps ? steps() : this.steps.read({ companyId, ref, endedAt, signal }));
  }

  /** A program that runs elsewhere reports its cost in its trace. */
  private async costOf({ observed }: Judged, { companyId, signal }: JudgeContext): Promise<number | null> {
    const { cost, source_ref: ref, ended_at: endedAt } = observed;
    if (cost !== null || ref?.agent_task_id === undefined) return cost;
    return this.orFailed(this.steps.costOfTask({ companyId, ref, endedAt, signal }, ref.agent_task_id));
  }

  private async orFailed<T>(read: Promise<T>): Promise<T> {
    try {
      return await read;
    } catch (error) {
      if (error instanceof StepsUnavailable) throw new JudgeFailed(error.message);
      throw error;
    }
  }

  private async execute({ config, pass_threshold: threshold }: Criterion, judged: Judged, context: JudgeContext) {
    const { companyId, signal, log = [] } = context;
    const steps = config.with_steps ? await this.stepsOf(judged, context) : null;
    return this.scorer.score(config, scorerItem(judged, steps), { companyId, threshold, signal, log });
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
      // The call continues when this worker stops: the next one gets its answer.
      const { body } = await this.bus.forward(chat.endpoints.complete, call, caller);
      return JSON.parse(Buffer.from(body).toString()) as ChatResult;
    };
    const { message } = await (requestId === undefined
      ? retriedCall(companyId, signal, complete)
      : awaitedWork({
          ...{ companyId, callId: requestId, signal, call: complete },
          waitMs: CALL_MS,
          cancel: () => Promise.resolve(),
        }));
    const judgement = judgementOf(criteria_type, message);
    if (!judgement) throw new JudgeFailed('the judge gave no usable verdict');
    const notice = cutNotice(judged);
    const description = notice === null ? judgement.reason : `${judgement.reason} (${notice})`;
    return { score: judgement.score, description };
  }
}

const MAX_DESCRIPTION = 4000;

/** Null when a dependency is down or the error is our own. */
function failureOf(error: unknown): Pick<CriterionResult, 'failure_class' | 'description'> | null {
  if (error instanceof JudgeFailed)
    return { failure_class: error.failureClass, description: error.message.slice(0, MAX_DESCRIPTION) };
  if (!(error instanceof ApiError) || error.kind === 'unavailable' || error.kind === 'internal') return null;
  return { failure_class: 'judge', description: error.message.slice(0, MAX_DESCRIPTION) };
}
