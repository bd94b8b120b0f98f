import { stringType } from '../../fields/field-types.js';
import { Description, Json, List, ListOf, Int, OneOf, Optional, Str } from '../../fields/fields.js';

export const STEP_CHECKS = ['called', 'not_called', 'order', 'no_failed_step', 'status'] as const;
export type StepCheckKind = (typeof STEP_CHECKS)[number];

/** The ends of a task or workflow run that a check can ask for. */
export const STEP_STATES = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'] as const;

const tool = stringType(1, 200);

/** A condition on the arguments of a call: exactly one of `equals`, `contains` and `matches`. */
export class ArgumentCheck {
  @Str(0, 500)
  @Optional()
  @Description('A dotted path into the arguments, `rows[0].id`; default all of them')
  path?: string;
  @Json(16_384) @Optional() @Description('The same JSON value') equals?: unknown;
  @Str(1, 2000) @Optional() @Description('A part of the text of the value') contains?: string;
  @Str(1, 1000) @Optional() @Description('RE2 syntax, searched in the text of the value') matches?: string;
}

/** One check on the steps of an item; its kind decides which keys it has. */
export class StepCheck {
  @OneOf(STEP_CHECKS) kind!: StepCheckKind;
  @Str(1, 200)
  @Optional()
  @Description(
    'called, not_called: an action, a sub-agent or a tool; in a workflow also a step, a member of ctx, or a called workflow',
  )
  tool?: string;
  @ListOf(() => ArgumentCheck, 1, 10)
  @Optional()
  @Description('called, not_called: only calls for which all of them hold count')
  arguments?: ArgumentCheck[];
  @Int(1, 1000) @Optional() @Description('called; default 1') min_times?: number;
  @Int(1, 1000) @Optional() @Description('called; default any number') max_times?: number;
  @List(tool, 2, 20) @Optional() @Description('order: others may be called in between') tools?: string[];
  @OneOf(STEP_STATES) @Optional() @Description('status') status?: (typeof STEP_STATES)[number];
}
