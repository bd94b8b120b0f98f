import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import { asText, type ConditionInput, TextTests, traceGroup, traceInPlace } from '@signalbox/conditions';
import {
  chat,
  type ChatCall,
  type ChatResult,
  type ConditionGroup,
  type Message,
  type MonitorConfig,
  type MonitorOutcome,
  models,
  type ResolutionStep,
} from '@signalbox/contracts';
import { abortable } from '@signalbox/runs';
import { failureOfConditions, failureOfModelCall, judgeFailure, type JudgeFailure } from './judge-failure.js';
import { judgedOf, judgeMessages, VERDICT_SCHEMA, verdictIn } from './judge-prompt.js';
import { type RunnerResult, WorkflowRunner } from './workflow-runner.js';
import { type EvaluatedGroup, groupsOf, resolveOutcome } from './outcome.js';

export interface Judgement {
  outcome: MonitorOutcome;
  /** Null unless the outcome is ERROR. */
  failure: JudgeFailure | null;
  resolution_trace: ResolutionStep[];
  runner_output: unknown;
  runner_duration_ms: number;
  cost: number | null;
}

export interface JudgeTask {
  companyId: number;
  config: MonitorConfig;
  payload: object;
  /** Recorded with a model call; null for a check or a preview. */
  runId: string | null;
  /** Recorded with calls of a judgement outside a run. */
  metadata?: { monitor_check_id: number };
  /** Of the call of a model, or of the run of a workflow: a repeat after a lost worker gets its answer. */
  callId?: string;
}

/** Throws on an outage of the platform; every other failure is a judgement with the outcome ERROR. */
@Injectable()
export class Judge {
  constructor(
    private readonly bus: BusClient,
    private readonly tests: TextTests,
    private readonly workflows: WorkflowRunner,
  ) {}

  async judge(task: JudgeTask, signal?: AbortSignal): Promise<Judgement> {
    const start = performance.now();
    const made = await this.run(task, signal);
    const spent = { runner_duration_ms: Math.round(performance.now() - start) };
    if (made.failure) return { ...failed(made.failure, made.output), cost: made.cost, ...spent };
    try {
      const resolved = await this.resolve(task, made.output);
      return { ...resolved, failure: null, runner_output: made.output, cost: made.cost, ...spent };
    } catch (error) {
      const failure = failureOfConditions(error);
      if (!failure) throw error;
      return { ...failed(failure, made.output), cost: made.cost, ...spent };
    }
  }

  /** Without a runner, in this thread; null when a condition needs another thread, or fails. */
  judgeInPlace({ config, payload }: Pick<JudgeTask, 'config' | 'payload'>): Judgement | null {
    const start = performance.now();
    const groups = groupsOf('direct', config.result);
    const input = new JudgedInput(payload);
    try {
      const fault = groups.fault && traceInPlace(groups.fault, input);
      if (groups.fault && !fault) return null;
      const reached = fault?.result ? null : groups.warning;
      const warning = reached && traceInPlace(reached, input);
      if (reached && !warning) return null;
      return {
        ...resolveOutcome({ fault, warning }, config.result.default_outcome),
        failure: null,
        runner_output: payload,
        runner_duration_ms: Math.round(performance.now() - start),
        cost: null,
      };
    } catch {
      return null;
    }
  }

  private run(task: JudgeTask, signal?: AbortSignal): Promise<RunnerResult> {
    const { companyId, payload, runId, config, callId } = task;
    const { runner, limits } = config;
    const metadata = runId === null ? (task.metadata ?? {}) : { monitor_run_id: runId };
    const none = { output: null, cost: null };
    switch (runner?.resource_type) {
      case 'direct':
        return Promise.resolve({ output: task.payload, cost: null });
      case 'model':
        return this.askModel(task, signal);
      case 'workflow':
        return this.workflows.run(
          { companyId, runner, payload, metadata, timeoutMs: limits.timeout_ms, ...(callId ? { callId } : {}) },
          signal,
        );
      default:
        return Promise.resolve({ ...none, failure: judgeFailure('judge', 'the monitor has no runner', false) });
    }
  }

  private async askModel(task: JudgeTask, signal?: AbortSignal): Promise<RunnerResult> {
    const { input, resource_id } = task.config.runner ?? { input: {} };
    const none = { output: null, cost: null };
    const judged = judgedOf(task.payload, input);
    if ('problem' in judged) return { ...none, failure: judgeFailure('adapter', judged.problem, false) };
    const caller = serviceCaller(task.companyId, Date.now() + task.config.limits.timeout_ms);
    const messages = judgeMessages(input.prompt ?? '', judged);
    let price: number | null = null;
    try {
      const model = await this.bus.call(models.endpoints.getModel, { model_id: String(resource_id) }, caller);
      price = model.input_price_per_mtok;
      const call: ChatCall = {
        model: model.model_name,
        messages,
        response_format: model.supports_json_schema
          ? { type: 'json_schema', json_schema: { name: 'verdict', schema: VERDICT_SCHEMA } }
          : { type: 'json_object' },
        temperature: 0,
        request_type: 'SYNTHETIC',
        origin: 'MONITOR',
        ...(task.runId === null ? {} : { origin_id: task.runId }),
        ...(task.callId === undefined ? {} : { request_id: task.callId }),
        metadata: task.metadata ?? {},
      };
      // Without the signal: the call continues when this worker stops, and the next one gets its answer.
      const asked = this.bus.forward(chat.endpoints.complete, call, caller);
      const { body } = await (signal ? abortable(asked, signal) : asked);
      const { message, usage } = JSON.parse(Buffer.from(body).toString()) as ChatResult;
      const verdict = verdictIn(message.content);
      if (verdict) return { output: verdict, cost: usage.cost };
      const failure = judgeFailure('judge', 'the judge did not reply with a verdict');
      return { output: message.content ?? null, cost: usage.cost, failure };
    } catch (error) {
      signal?.throwIfAborted();
      const failure = failureOfModelCall(error);
      if (!failure) throw error;
      // A provider bills the prompt of a call that timed out; whether it bills an answer is not known.
      return { ...none, cost: failure.failure_class === 'timeout' ? promptCost(messages, price) : null, failure };
    }
  }

  private async resolve({ companyId, config }: JudgeTask, output: unknown) {
    const groups = groupsOf(config.runner?.resource_type ?? 'direct', config.result);
    const input = new JudgedInput(output);
    const evaluate = (group: ConditionGroup | null): Promise<EvaluatedGroup> =>
      group ? traceGroup(companyId, group, input, this.tests) : Promise.resolve(null);
    const fault = await evaluate(groups.fault);
    const warning = fault?.result ? null : await evaluate(groups.warning);
    return resolveOutcome({ fault, warning }, config.result.default_outcome);
  }
}

const CHARS_PER_TOKEN = 4;

/** An estimate in US dollars; null for a model without a price. */
function promptCost(messages: readonly Message[], pricePerMtok: number | null | undefined): number | null {
  if (pricePerMtok == null) return null;
  const chars = messages.reduce((sum, { content }) => sum + asText(content).length, 0);
  return (chars / CHARS_PER_TOKEN / 1_000_000) * pricePerMtok;
}

/** Converts to text lazily: few conditions need it. */
class JudgedInput implements ConditionInput {
  private cachedText: string | undefined;

  constructor(readonly json: unknown) {}

  get text(): string {
    return (this.cachedText ??= asText(this.json));
  }
}

const failed = (failure: JudgeFailure, runner_output: unknown) => ({
  outcome: 'ERROR' as const,
  failure,
  resolution_trace: [],
  runner_output,
});
