import { createHash } from 'node:crypto';
import { refused, type ResponseFormat } from '@signalbox/contracts';
import { EvaluationTooCostly } from '../threads/evaluation.js';
import type { EvaluationThreads } from '../threads/evaluation-threads.js';
import { boundsProblem } from './schema-bounds.js';

const MAX_KEPT = 1_000;
const MAX_PROBLEM = 500;
/** The problem of a value whose check exceeds its budget: another value does not make the schema cheaper. */
export const TOO_COSTLY = 'it takes too long to check against the schema';

/** Checks user schemas, and values against them, in threads that can be terminated. */
export class SchemaChecker {
  /** The problem of each known schema by its hash; null for a valid one. */
  private readonly known = new Map<string, string | null>();

  constructor(private readonly threads: EvaluationThreads) {}

  /** Throws 422 for an invalid schema; `field` is the path of the schema. */
  async requireGood(companyId: number, schema: object, field: string): Promise<void> {
    const problem = await this.schemaProblem(companyId, schema);
    if (problem !== null) throw refused('the schema is not valid', [{ field, message: problem.slice(0, MAX_PROBLEM) }]);
  }

  /** Throws 422 for a response format with an invalid schema; `field` is the path of the format. */
  async requireGoodFormat(
    companyId: number,
    format: ResponseFormat | null | undefined,
    field = 'response_format',
  ): Promise<void> {
    const schema = format?.type === 'json_schema' ? format.json_schema?.schema : undefined;
    if (schema) await this.requireGood(companyId, schema, `${field}.json_schema.schema`);
  }

  /** Returns the problem of a value, or null. */
  async problemOf(companyId: number, schema: object, value: unknown): Promise<string | null> {
    const written = JSON.stringify(schema);
    const problem = boundsProblem(schema, written);
    if (problem !== null) return problem;
    const input = { schema: written, value: JSON.stringify(value) };
    return this.threads.run(companyId, 'validate', input).catch(orTooCostly(TOO_COSTLY));
  }

  private async schemaProblem(companyId: number, schema: object): Promise<string | null> {
    const written = JSON.stringify(schema);
    const hash = createHash('sha256').update(written).digest('base64');
    const known = this.known.get(hash);
    if (known !== undefined) return known;
    const problem = boundsProblem(schema, written);
    if (problem !== null) return problem;
    // A time-out is not cached: the machine may have been loaded.
    return this.threads
      .run(companyId, 'compile', { schema: written })
      .then((found) => this.keep(hash, found), orTooCostly('it takes too long to compile'));
  }

  private keep(hash: string, problem: string | null): string | null {
    if (this.known.size >= MAX_KEPT) this.known.delete(this.known.keys().next().value!);
    this.known.set(hash, problem);
    return problem;
  }
}

const orTooCostly =
  (problem: string) =>
  (error: unknown): string => {
    if (error instanceof EvaluationTooCostly) return problem;
    throw error;
  };
