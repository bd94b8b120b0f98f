import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import {
  Count,
  Default,
  Description,
  Epoch,
  field,
  Flag,
  Id,
  Int,
  join,
  Json,
  List,
  ListOf,
  Name,
  Nested,
  Nullable,
  Num,
  OneOf,
  Optional,
  partial,
  Str,
  Text,
} from '../../fields/fields.js';
import { objType, stringType } from '../../fields/field-types.js';
import { Deleted, ListQuery } from '../../shapes.js';
import { modelNameType } from '../model-names.js';
import { Expected, EXPECTED_BYTES } from './test-sets/test-data.js';
import { LOG_LEVELS, type LogLevel } from '../workflows/run-states.js';
import { SCRIPT_LANGUAGES, type ScriptLanguage, ScriptProblem } from '../scripts/scripts.js';
import { StepCheck } from './step-checks.js';
import { CriterionResult, SourceRef } from './test-run-items.js';
import { switchEndpoints } from '../switch-endpoints.js';

/** BOOLEAN scores 0 or 1, NUMERIC 1 to 5. */
export const CRITERIA_TYPES = ['BOOLEAN', 'NUMERIC'] as const;
export type CriteriaType = (typeof CRITERIA_TYPES)[number];
/** The ways to judge an output, or how it came about; all but LLM work without a model. */
export const CRITERIA_METHODS = [
  'LLM',
  'EXACT',
  'JSON_FIELDS',
  'CONTAINS',
  'REGEX',
  'JSON_SCHEMA',
  'SCRIPT',
  'STEPS',
  'LATENCY',
  'COST',
] as const;
export type CriteriaMethod = (typeof CRITERIA_METHODS)[number];

const paths = stringType(1, 500);

/** The longest script of a criterion, in characters. */
export const MAX_SCORER_LENGTH = 65_536;

/** The configuration of a criterion; the method decides which keys are accepted. */
export class CriteriaConfig {
  @List(paths, 0, 100) @Optional() @Description('JSON_FIELDS') ignore_paths?: string[];
  @List(paths, 0, 100) @Optional() @Description('JSON_FIELDS') required_paths?: string[];
  @Str(1, 1000) @Optional() @Description('REGEX, RE2 syntax') pattern?: string;
  @Str(1, 20_000) @Optional() @Description('CONTAINS') value?: string;
  @field(objType()) @Optional() @Description('JSON_SCHEMA') schema?: Record<string, unknown>;
  @Num(0) @Optional() @Description('EXACT, JSON_FIELDS; default 0') numeric_tolerance?: number;
  @Flag() @Optional() @Description('EXACT, JSON_FIELDS, CONTAINS, REGEX; default true') case_sensitive?: boolean;
  @Flag() @Optional() @Description('EXACT, JSON_FIELDS, CONTAINS; default true') trim?: boolean;
  @field(modelNameType)
  @Nullable()
  @Optional()
  @Description("LLM; default the company's judge model")
  model?: string | null;
  @OneOf(SCRIPT_LANGUAGES) @Optional() @Description('SCRIPT; default javascript') language?: ScriptLanguage;
  @Text(MAX_SCORER_LENGTH)
  @Optional()
  @Description(
    'SCRIPT: has a function `score(item)`, which returns a boolean, a number from 0 to 1, or {pass, score, reason}',
  )
  script?: string;
  @Int(100, 30_000) @Optional() @Description('SCRIPT: wall clock of one item; default 5000') timeout_ms?: number;
  @Flag()
  @Optional()
  @Description('SCRIPT: the item has `steps`; it is an error when they cannot be had; default false')
  with_steps?: boolean;
  @ListOf(() => StepCheck, 1, 20)
  @Optional()
  @Description('STEPS: all of them must hold')
  checks?: StepCheck[];
  @Int(0, 86_400_000) @Optional() @Description('LATENCY: the most milliseconds of an item') max_latency_ms?: number;
  @Num(0) @Optional() @Description('COST: the most US dollars of an item') max_cost?: number;
}

class CriteriaBody {
  @Name() name!: string;
  @Str() @Nullable() @Optional() description?: string | null;
  @OneOf(CRITERIA_TYPES) criteria_type!: CriteriaType;
  @OneOf(CRITERIA_METHODS) method!: CriteriaMethod;
  @Text() @Nullable() @Optional() prompt?: string | null;
  @Nested(() => CriteriaConfig) @Default(() => ({})) config!: CriteriaConfig;
  @Num(0, 5) @Optional() @Description('Default 1 (BOOLEAN) or 3 (NUMERIC)') pass_threshold?: number;
  @Num(0, 100) @Default(1) weight!: number;
  @Flag() @Default(true) enabled!: boolean;
}

/** A rule by which outputs are judged (docs/api/tests.md). */
export class EvaluationCriteria {
  @Id() id!: number;
  @Name() name!: string;
  @Str() @Nullable() description!: string | null;
  @OneOf(CRITERIA_TYPES) criteria_type!: CriteriaType;
  @OneOf(CRITERIA_METHODS) method!: CriteriaMethod;
  @Text() @Nullable() prompt!: string | null;
  @Nested(() => CriteriaConfig) config!: CriteriaConfig;
  @Num() pass_threshold!: number;
  @Num() weight!: number;
  @Flag() enabled!: boolean;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

class CriteriaPath {
  @Id() criteria_id!: number;
}
class ListCriteria extends ListQuery {
  @OneOf(CRITERIA_TYPES) @Optional() criteria_type?: CriteriaType;
  @OneOf(CRITERIA_METHODS) @Optional() method?: CriteriaMethod;
  @Flag() @Optional() enabled?: boolean;
}

class ValidateCriteria {
  @OneOf(SCRIPT_LANGUAGES) @Default('javascript') language!: ScriptLanguage;
  @Text(MAX_SCORER_LENGTH) script!: string;
}
export class CriteriaValidation {
  @Flag() valid!: boolean;
  @ListOf(() => ScriptProblem, 0, 100) errors!: ScriptProblem[];
}

export class ScorerLogLine {
  @OneOf(LOG_LEVELS) level!: LogLevel;
  @Str(0, 2001) message!: string;
}

/** The judgement of a criterion that was tried. */
export class CriterionTrial extends CriterionResult {
  @ListOf(() => ScorerLogLine, 0, 100)
  @Optional()
  @Description('SCRIPT: the first lines that the script has logged')
  logs?: ScorerLogLine[];
}

class TestCriteria extends CriteriaPath {
  @Json(EXPECTED_BYTES) @Nullable() @Optional() input?: unknown;
  @Nested(() => Expected) @Nullable() @Optional() expected_output?: Expected | null;
  @Nested(() => Expected) actual_output!: Expected;
  @Json(EXPECTED_BYTES)
  @Optional()
  @Description('SCRIPT: the `meta` of an item')
  metadata?: Record<string, unknown>;
  @Count() @Nullable() @Optional() @Description('LATENCY, SCRIPT: what the item took') latency_ms?: number | null;
  @Num(0) @Nullable() @Optional() @Description('COST, SCRIPT: US dollars; null = unknown') cost?: number | null;
  @Nested(() => SourceRef)
  @Nullable()
  @Optional()
  @Description('STEPS, SCRIPT: the task or workflow run whose steps are read')
  source_ref?: SourceRef | null;
}

const one = '/evaluation-criteria/{criteria_id}' as const;
const switched = switchEndpoints(one, CriteriaPath, EvaluationCriteria, {
  enable: 'Enable an evaluation criterion',
  disable: 'Disable an evaluation criterion: scorings skip it',
});

/** Evaluation criteria (docs/api/tests.md). */
export const evaluationCriteria = defineContract(
  { name: 'evaluation-criteria', service: 'test-runs', tag: 'Evaluation Criteria' },
  {
    listCriteria: {
      get: '/evaluation-criteria',
      summary: 'List the evaluation criteria',
      input: ListCriteria,
      output: page(EvaluationCriteria),
    },
    createCriteria: {
      post: '/evaluation-criteria',
      summary: 'Create an evaluation criterion',
      errors: ['conflict', 'refused', 'not_found'],
      input: CriteriaBody,
      output: EvaluationCriteria,
    },
    validateCriteria: {
      post: '/evaluation-criteria/validate',
      summary: 'Compile the script of a criterion; nothing is run and nothing is stored',
      scope: 'read',
      input: ValidateCriteria,
      output: CriteriaValidation,
      delivery: { longDeadline: true },
    },
    getCriteria: {
      get: one,
      summary: 'Get an evaluation criterion',
      input: CriteriaPath,
      output: EvaluationCriteria,
      delivery: { batchable: 'criteria_id' },
    },
    updateCriteria: {
      put: one,
      summary: 'Change an evaluation criterion; earlier scores keep what they used',
      errors: ['conflict', 'refused'],
      input: join(CriteriaPath, partial(CriteriaBody, 'criteria_type')),
      output: EvaluationCriteria,
    },
    deleteCriteria: {
      delete: one,
      summary: 'Delete an evaluation criterion that no test set and no test run names',
      errors: ['conflict'],
      input: CriteriaPath,
      output: Deleted,
    },
    enableCriteria: switched.enable,
    disableCriteria: switched.disable,
    testCriteria: {
      post: `${one}/test`,
      summary: 'Judge an output by an evaluation criterion; stores nothing',
      scope: 'invoke',
      errors: ['conflict'],
      input: TestCriteria,
      output: CriterionTrial,
      delivery: { slow: true },
    },
  },
);
