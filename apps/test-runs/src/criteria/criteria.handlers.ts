import { BusClient, Serves } from '@signalbox/bus';
import { SchemaChecker, TextTests } from '@signalbox/conditions';
import {
  ApiError,
  type Batch,
  type Caller,
  type CallTo,
  conflict,
  type CriteriaConfig,
  type CriterionResult,
  emits,
  type EvaluationCriteria,
  evaluationCriteria,
  type Handlers,
  trafficLinks,
} from '@signalbox/contracts';
import type { Filter } from '@signalbox/database';
import { CriterionUses } from './criterion-uses.repository.js';
import { Judges, type Output } from '../judging/index.js';
import { Criteria } from './criteria.repository.js';
import { newCriterion, switchCriterion, updateCriterion } from './criterion.js';

type C = typeof evaluationCriteria;

/** Rules by which outputs are judged. */
@Serves(evaluationCriteria)
export class CriteriaHandlers implements Handlers<C> {
  constructor(
    private readonly criteria: Criteria,
    private readonly uses: CriterionUses,
    private readonly schemas: SchemaChecker,
    private readonly tests: TextTests,
    private readonly bus: BusClient,
    private readonly judges: Judges,
  ) {}

  listCriteria({ input, caller }: CallTo<C, 'listCriteria'>) {
    const filters: Filter[] = (['criteria_type', 'method', 'enabled'] as const).flatMap((name) =>
      input[name] === undefined ? [] : [{ sql: `t.${name} = ?`, value: input[name] }],
    );
    return this.criteria.list(caller.companyId, { ...input, filters });
  }

  async createCriteria({ input, caller }: CallTo<C, 'createCriteria'>) {
    const { prompt = null, description = null } = input;
    const criterion = newCriterion({ ...input, prompt, description });
    await this.requireUsable(criterion.config, caller);
    return this.criteria.create(caller, criterion, [emits('evaluation_criteria.created')]);
  }

  getCriteria({ keys }: Batch) {
    return this.criteria.read(keys);
  }

  async updateCriteria({ input: { criteria_id, ...change }, caller }: CallTo<C, 'updateCriteria'>) {
    if (change.config) {
      await this.criteria.get(caller.companyId, criteria_id);
      await this.requireUsable(change.config, caller);
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
  async testCriteria({ input, caller }: CallTo<C, 'testCriteria'>): Promise<CriterionResult> {
    const { companyId, deadline, requestId } = caller;
    const criterion = JSON.parse((await this.criteria.get(companyId, input.criteria_id)).text) as EvaluationCriteria;
    const { expected_output: expected = null, actual_output: actual } = input;
    const judged = { input: input.input ?? null, expected: expected as Output | null, actual: actual as Output };
    const signal = AbortSignal.timeout(Math.max(1, deadline - Date.now()));
    const result = await this.judges.judge(criterion, judged, { companyId, originId: requestId.slice(0, 128), signal });
    if (!result) throw conflict(`criterion ${input.criteria_id} is ${criterion.method}: it needs an expected output`);
    return result;
  }

  /** Refuses an invalid schema or pattern (422) and an unknown model (404). */
  private async requireUsable({ schema, pattern, model }: CriteriaConfig, caller: Caller): Promise<void> {
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
    throw new ApiError('not_found', 'model not found', { details });
  }
}
