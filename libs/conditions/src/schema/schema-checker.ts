import { createHash } from 'node:crypto';
import { refused, type ResponseFormat } from '@signalbox/contracts';
import { LRUCache } from 'lru-cache';
import { EvaluationTooCostly } from '../threads/evaluation.js';
import type { EvaluationThreads } from '../threads/evaluation-threads.js';
import { boundsProblem } from './schema-bounds.js';

const MAX_SCHEMAS = 1_000;
const MAX_PROBLEM = 500;
/** Values per evaluation, and their length as JSON in UTF-16 units. */
const SLICE = 100;
const SLICE_LENGTH = 1024 * 1024;
/** No other value makes the schema cheaper. */
export const TOO_COSTLY = 'it takes too long to check against the schema';

export class SchemaChecker {
  /** By hash; a null problem for a valid schema. */
  private readonly known = new LRUCache<string, { problem: string | null }>({ max: MAX_SCHEMAS });

  constructor(private readonly threads: EvaluationThreads) {}

  /** 422 for an invalid schema; `field` is its path. */
  async requireGood(companyId: number, schema: object, field: string): Promise<void> {
    const problem = await this.schemaProblem(companyId, schema);
    if (problem !== null) throw refused('the schema is not valid', [{ field, message: problem.slice(0, MAX_PROBLEM) }]);
  }

  /** 422 for an invalid schema in it; `field` is the path of the format. */
  async requireGoodFormat(
    companyId: number,
    format: ResponseFormat | null | undefined,
    field = 'response_format',
  ): Promise<void> {
    const schema = format?.type === 'json_schema' ? format.json_schema?.schema : undefined;
    if (schema) await this.requireGood(companyId, schema, `${field}.json_schema.schema`);
  }

  async problemOf(companyId: number, schema: object, value: unknown): Promise<string | null> {
    return (await this.problemsOf(companyId, schema, [value]))[0] ?? null;
  }

  /**
   * The problem of each value, or null, in order. Many values wait instead of being refused: they take one place in the
   * queue of the company at a time. 503 when a slice of them has waited until `deadline` (epoch ms), by default as long
   * as a single evaluation may wait.
   */
  async problemsOf(
    companyId: number,
    schema: object,
    values: readonly unknown[],
    deadline?: number,
  ): Promise<(string | null)[]> {
    const written = JSON.stringify(schema);
    const problem = boundsProblem(schema, written);
    if (problem !== null) return values.map(() => problem);
    const problems: (string | null)[] = [];
    for (const slice of slicesOf(values))
      problems.push(...(await this.problemsOfSlice(companyId, written, slice, deadline)));
    return problems;
  }

  /** Values that exceed the budget together are checked in halves. */
  private async problemsOfSlice(
    companyId: number,
    schema: string,
    values: string[],
    deadline?: number,
  ): Promise<(string | null)[]> {
    try {
      return await this.threads.run(companyId, 'validate', { schema, values }, deadline);
    } catch (error) {
      if (!(error instanceof EvaluationTooCostly)) throw error;
      if (values.length <= 1) return values.map(() => TOO_COSTLY);
      const middle = Math.ceil(values.length / 2);
      const first = await this.problemsOfSlice(companyId, schema, values.slice(0, middle), deadline);
      return [...first, ...(await this.problemsOfSlice(companyId, schema, values.slice(middle), deadline))];
    }
  }

  private async schemaProblem(companyId: number, schema: object): Promise<string | null> {
    const written = JSON.stringify(schema);
    const hash = createHash('sha256').update(written).digest('base64');
    const known = this.known.get(hash);
    if (known) return known.problem;
    const problem = boundsProblem(schema, written);
    if (problem !== null) return problem;
    // A time-out is not cached: the machine may have been loaded.
    return this.threads
      .run(companyId, 'compile', { schema: written })
      .then((found) => this.remember(hash, found), orTooCostly('it takes too long to compile'));
  }

  private remember(hash: string, problem: string | null): string | null {
    this.known.set(hash, { problem });
    return problem;
  }
}

function* slicesOf(values: readonly unknown[]): Generator<string[]> {
  let slice: string[] = [];
  let length = 0;
  for (const value of values) {
    const text = JSON.stringify(value);
    if (slice.length >= SLICE || (slice.length > 0 && length + text.length > SLICE_LENGTH)) {
      yield slice;
      [slice, length] = [[], 0];
    }
    slice.push(text);
    length += text.length;
  }
  if (slice.length > 0) yield slice;
}

const orTooCostly =
  (problem: string) =>
  (error: unknown): string => {
    if (error instanceof EvaluationTooCostly) return problem;
    throw error;
  };
