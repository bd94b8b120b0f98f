import { Default, Flag, Json, Nullable, Num, OneOf, Optional, Str } from '../../fields/fields.js';
import { Checked } from '../../fields/checks.js';

export const ROUTING_OPERATORS = [
  'equals',
  'not_equals',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'contains',
  'matches',
  'is_null',
  'is_not_null',
  'classify',
  'not_classify',
  'sem_match',
] as const;

export type RoutingOperator = (typeof ROUTING_OPERATORS)[number];

/** The operators that ask a model. */
export const MODEL_OPERATORS: readonly RoutingOperator[] = ['classify', 'not_classify', 'sem_match'];

const WITHOUT_VALUE: readonly RoutingOperator[] = ['is_null', 'is_not_null'];

/** One condition over the last user message, the request or the session state. */
@Checked<RoutingCondition>(({ operator, value }) =>
  value === undefined && !WITHOUT_VALUE.includes(operator)
    ? { field: 'value', message: `is required for ${operator}` }
    : MODEL_OPERATORS.includes(operator) && typeof value !== 'string'
      ? { field: 'value', message: `must be a string for ${operator}` }
      : undefined,
)
export class RoutingCondition {
  @OneOf(['message', 'request', 'state']) target_type!: 'message' | 'request' | 'state';
  @Str(0, 500) @Nullable() @Optional() variable_path?: string | null;
  @OneOf(ROUTING_OPERATORS) operator!: RoutingOperator;
  @Json(20_000) @Nullable() @Optional() value?: unknown;
  @Num(0, 1) @Nullable() @Optional() threshold?: number | null;
  @Flag() @Default(true) enabled!: boolean;
}
