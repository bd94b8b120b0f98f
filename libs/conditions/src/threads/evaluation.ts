import type { TextTest } from '../text-test.js';

/** What is evaluated in a thread, by kind. Schemas and values are JSON. */
export interface Evaluations {
  /** What is wrong with a schema, or null. */
  compile: { input: { schema: string }; output: string | null };
  /** What is wrong with a value, or null. */
  validate: { input: { schema: string; value: string }; output: string | null };
  /** What is wrong with a pattern, or null. */
  pattern: { input: { pattern: string }; output: string | null };
  /** Whether a text passes a test. */
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

/** The result of an evaluation, or the message of the error that it ended with. */
export type EvaluationReply =
  { id: number; output: Evaluations[EvaluationKind]['output'] } | { id: number; error: string };

/** An evaluation used up its time or memory, twice: on a thread of its own, too. */
export class EvaluationTooCostly extends Error {
  override readonly name = 'EvaluationTooCostly';

  constructor(readonly budgetMs: number) {
    super(`the evaluation takes longer than ${budgetMs} ms`);
  }
}
