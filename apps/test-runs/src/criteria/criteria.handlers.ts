import { BusClient, Serves } from '@signalbox/bus';
import { SchemaChecker, TextTests } from '@signalbox/conditions';
import {
  type Batch,
  type Caller,
  type CallTo,
  conflict,
  type CriterionTrial,
  emits,
  type EvaluationCriteria,
  evaluationCriteria,
  type Handlers,
  type InputOf,
  notFound,
  trafficLinks,
} from '@signalbox/contracts';
import { CriterionUses } from './criterion-uses.repository.js';
import { Judges, type LogLine, NOTHING_OBSERVED, type Observed, type Output, ScriptScorer } from '../judging/index.js';
import { Criteria } from './criteria.repository.js';
import { configFor, newCriterion, switchCriterion, updateCriterion } from './criterion.js';
import { patternsOf } from './step-check-rules.js';

type C = typeof evaluationCriteria;

@Serves(evaluationCriteria)
export class CriteriaHandlers implements Handlers<C> {
  constructor(
    private readonly criteria: Criteria,
    private readonly uses: CriterionUses,
    private readonly schemas: SchemaChecker,
    private readonly tests: TextTests,
    private readonly bus: BusClient,
    private readonly judges: Judges,
    private readonly scorer: ScriptScorer,
  ) {}

  listCriteria({ input, caller }: CallTo<C, 'listCriteria'>) {
    return this.criteria.listBy(caller.companyId, input);
  }

  async createCriteria({ input, caller }: CallTo<C, 'createCriteria'>) {
    const { prompt = null, description = null } = input;
    const criterion = newCriterion({ ...input, prompt, description });
    await this.requireUsable(criterion, caller);
    return this.criteria.create(caller, criterion, [emits('evaluation_criteria.created')]);
  }

  async validateCriteria({ input: { language, script }, caller }: CallTo<C, 'validateCriteria'>) {
    const { problems } = await this.scorer.compile(caller, language, script);
    return { valid: problems.length === 0, errors: problems };
  }

  getCriteria({ keys }: Batch) {
    return this.criteria.read(keys);
  }

  async updateCriteria({ input: { criteria_id, ...change }, caller }: CallTo<C, 'updateCriteria'>) {
    if (change.config) {
      const { text } = await this.criteria.get(caller.companyId, criteria_id);
      const { method } = JSON.parse(text) as EvaluationCriteria;
      await this.requireUsable({ method: change.method ?? method, config: change.config }, caller);
    }
    return this.criteria.change(caller, criteria_id, (row) => updateCriterion(row, change));
  }

  deleteCriteria({ input, caller }: CallTo<C, 'deleteCriteria'>) {
    return this.criteria.remove(
      caller,
      input.criteria_id,
      () => ({ events: [emits('evaluation_criteria.deleted')] }),
      (tx, row) => this.uses.refuse(tx, row.id),
    );
  }

  enableCriteria({ input, caller }: CallTo<C, 'enableCriteria'>) {
    return this.criteria.change(caller, input.criteria_id, (row) => switchCriterion(row, true));
  }

  disableCriteria({ input, caller }: CallTo<C, 'disableCriteria'>) {
    return this.criteria.change(caller, input.criteria_id, (row) => switchCriterion(row, false));
  }

  /** Judges even by a disabled criterion; 409 when it needs an expected output that is not given. */
  async testCriteria({ input, caller }: CallTo<C, 'testCriteria'>): Promise<CriterionTrial> {
    const { companyId, deadline, requestId } = caller;
    const criterion = JSON.parse((await this.criteria.get(companyId, input.criteria_id)).text) as EvaluationCriteria;
    const { expected_output: expected = null, actual_output: actual } = input;
    const judged = {
      input: input.input ?? null,
      expected: expected as Output | null,
      actual: actual as Output,
      observed: observedIn(input),
    };
    const log: LogLine[] = [];
    const signal = AbortSignal.timeout(Math.max(1, deadline - Date.now()));
    const context = { companyId, originId: requestId.slice(0, 128), signal, log };
    const result = await this.judges.judge(criterion, judged, context);
    if (!result) throw conflict(`criterion ${input.criteria_id} is ${criterion.method}: it needs an expected output`);
    return criterion.method === 'SCRIPT' ? { ...result, logs: log } : result;
  }

  private async requireUsable(
    { method, config }: Pick<EvaluationCriteria, 'method' | 'config'>,
    caller: Caller,
  ): Promise<void> {
    const { schema, pattern, model, checks = [] } = configFor(method, config);
    if (method === 'SCRIPT') await this.scorer.require(caller, config);
    await this.tests.requirePatterns(caller.companyId, patternsOf(checks));

    if (schema) await this.schemas.requireGood(caller.companyId, schema, 'config.schema');
    if (pattern) await this.tests.requirePatterns(caller.companyId, [pattern]);
    if (!model) return;
    const { model_names } = await this.bus.call(
      trafficLinks.endpoints.findUnknownModels,
      { model_names: [model] },
      caller,
    );
    if (model_names.length === 0) return;
    const details = [{ field: 'config.model', message: `names model ${model}, which does not exist` }];
    throw notFound('model', { details });
  }
}

function observedIn({ metadata, latency_ms, cost, source_ref }: InputOf<C['endpoints']['testCriteria']>): Observed {
  return {
    ...NOTHING_OBSERVED,
    item: metadata ? { id: null, metadata } : null,
    latency_ms: latency_ms ?? null,
    cost: cost ?? null,
    source_ref: source_ref ?? null,
  };
}
