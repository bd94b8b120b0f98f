import type { TextTest } from '../text-test.js';

/** Schemas and values are JSON. */
export interface Evaluations {
  compile: { input: { schema: string }; output: string | null };
  validate: { input: { schema: string; values: string[] }; output: (string | null)[] };
  pattern: { input: { pattern: string }; output: string | null };
  text: { input: TextTest; output: boolean };
}

export type EvaluationKind = keyof Evaluations;

export interface EvaluationRequest {
  id: number;
  kind: EvaluationKind;
  input: Evaluations[EvaluationKind]['input'];
}

export type EvaluationReply =
  { id: number; output: Evaluations[EvaluationKind]['output'] } | { id: number; error: string };

/** Exceeded time or memory twice, the second time on a new thread. */
export class EvaluationTooCostly extends Error {
  override readonly name = 'EvaluationTooCostly';

  constructor(readonly budgetMs: number) {
    super(`the evaluation takes longer than ${budgetMs} ms`);
  }
}
