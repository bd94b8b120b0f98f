import type { TextTest } from '../text-test.js';

/** The kinds of evaluation of a thread. Schemas and values are JSON. */
export interface Evaluations {
  /** Returns the problem of a schema, or null. */
  compile: { input: { schema: string }; output: string | null };
  /** Returns the problem of each value, or null. */
  validate: { input: { schema: string; values: string[] }; output: (string | null)[] };
  /** Returns the problem of a pattern, or null. */
  pattern: { input: { pattern: string }; output: string | null };
  /** True when a text passes a test. */
  text: { input: TextTest; output: boolean };
}

/** One kind of evaluation. */
export type EvaluationKind = keyof Evaluations;

/** An evaluation as it is sent to a thread. */
export interface EvaluationRequest {
  id: number;
  kind: EvaluationKind;
  input: Evaluations[EvaluationKind]['input'];
}

/** The result of an evaluation, or the message of its error. */
export type EvaluationReply =
  { id: number; output: Evaluations[EvaluationKind]['output'] } | { id: number; error: string };

/** An evaluation exceeded its time or memory twice, the second time on a new thread. */
export class EvaluationTooCostly extends Error {
  override readonly name = 'EvaluationTooCostly';

  constructor(readonly budgetMs: number) {
    super(`the evaluation takes longer than ${budgetMs} ms`);
  }
}
