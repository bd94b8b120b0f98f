import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { asText, TextTests } from '@signalbox/conditions';
import {
  ApiError,
  type Caller,
  chat,
  companies,
  invalidField,
  notFound,
  type RoutingCondition,
  type RoutingTest,
  type Usage,
} from '@signalbox/contracts';
import type { AgentSnapshot, RuleDraft } from '../drafts/index.js';
import type { CallAttribution } from '../models/index.js';
import { needsModel, plainVerdict, type RoutingContext, ruleMatches, subjectOf, textTestOf } from './condition.js';
import { RuleTooCostlyError } from './costly-rule.js';
import type { Verdict } from './expression.js';
import { judgedVerdict, JUDGEMENT, judgeMessages } from './judge.js';

export type Routable = Pick<AgentSnapshot, 'routing' | 'routing_rules'>;

export interface JudgeAttribution extends CallAttribution {
  /** Called before each call; what it throws ends the routing. */
  before?: () => void;
  used?: (usage: Usage) => void;
  /** Cancels a call at its provider. */
  signal?: AbortSignal;
}

@Injectable()
export class Router {
  constructor(
    private readonly bus: BusClient,
    private readonly tests: TextTests,
  ) {}

  /** The route of the first enabled rule that matches, else the default, with all evaluated verdicts. */
  async route(
    snapshot: Routable,
    context: RoutingContext,
    attribution: JudgeAttribution,
    caller: Caller,
  ): Promise<RoutingTest> {
    const evaluations: RoutingTest['evaluations'] = [];
    const evaluation = { context, caller, judge: this.judgeOf(attribution, caller) };
    for (const rule of snapshot.routing_rules.filter(({ enabled }) => enabled)) {
      const conditions = await this.verdicts(rule, evaluation);
      const passed = ruleMatches(rule, conditions) ?? false;
      evaluations.push({ rule_id: rule.id, passed, conditions: conditions.map((verdict) => verdict ?? false) });
      // Yields to the event loop: each rule is quick, but there may be many rules over long texts.
      await setImmediate();
      if (passed) return { matched_rule_id: rule.id, route: rule.route, evaluations };
    }
    return { matched_rule_id: null, route: snapshot.routing.default, evaluations };
  }

  /** Asks the model one condition at a time until the rule is decided; the other verdicts are null. */
  private async verdicts(rule: RuleDraft, evaluation: Evaluation): Promise<Verdict[]> {
    const isAsked = (condition: RoutingCondition): boolean => condition.enabled && needsModel(condition);
    const plain = rule.conditions.map(async (condition, index): Promise<Verdict> =>
      isAsked(condition) ? null : this.verdict(rule, index, condition, evaluation),
    );
    const verdicts = await Promise.all(plain);
    for (const [index, condition] of rule.conditions.entries()) {
      if (ruleMatches(rule, verdicts) !== null) break;
      if (isAsked(condition)) verdicts[index] = await this.verdict(rule, index, condition, evaluation);
    }
    return verdicts;
  }

  private async verdict(
    rule: RuleDraft,
    index: number,
    condition: RoutingCondition,
    { context, caller, judge }: Evaluation,
  ): Promise<boolean> {
    if (!condition.enabled) return true;
    if (!needsModel(condition)) {
      const test = textTestOf(condition, context);
      const passed = test !== null && (await this.tests.passes(caller.companyId, test).catch(asTooCostly(rule, index)));
      return plainVerdict(condition, context, passed);
    }
    const subject = subjectOf(condition, context);
    if (subject == null) return false;
    return judge(condition, asText(subject)).catch((error: unknown) => {
      // The judge model of the company was deleted: handled as if none was set.
      if (error instanceof ApiError && error.status === 404)
        throw invalidField(
          `rules[${rule.position}].conditions[${index}]`,
          'needs a model, and the company has no judge model',
        );
      throw error;
    });
  }

  /** The judge model of the company is looked up once, on first use. */
  private judgeOf({ before, used, signal, ...attribution }: JudgeAttribution, caller: Caller): Judge {
    let model: Promise<string | null> | undefined;
    return async (condition, text) => {
      model ??= this.bus.call(companies.endpoints.getCompany, {}, caller).then(({ settings }) => settings.judge_model);
      const name = await model;
      if (!name) throw notFound('model');
      before?.();
      const { message, usage } = await this.bus.call(
        chat.endpoints.complete,
        {
          model: name,
          messages: judgeMessages(condition, text),
          temperature: 0,
          response_format: JUDGEMENT,
          ...attribution,
          // A judgement is never production traffic, even for a task that is.
          request_type: 'SYNTHETIC',
          metadata: { purpose: 'routing' },
        },
        caller,
        signal,
      );
      used?.(usage);
      return judgedVerdict(condition, message);
    };
  }
}

const asTooCostly =
  (rule: RuleDraft, index: number) =>
  (error: unknown): never => {
    throw error instanceof ApiError && error.kind === 'refused'
      ? new RuleTooCostlyError(rule, index, error.message)
      : error;
  };

interface Evaluation {
  context: RoutingContext;
  caller: Caller;
  judge: Judge;
}

type Judge = (condition: RoutingCondition, text: string) => Promise<boolean>;
