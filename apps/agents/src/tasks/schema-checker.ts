import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { refused, type ResponseFormat, schemaSizeProblem } from '@signalbox/contracts';
import type { SchemaAnswer, SchemaQuestion } from './schema-worker.js';

const BUDGET_MS = 250;
const MAX_TRIES = 2;
const MEMORY_MB = 64;

/**
 * Checks schemas of users and values against them in a thread that can be killed: a small schema can burn seconds. One
 * question at a time; a question that takes too long costs the thread.
 */
@Injectable()
export class SchemaChecker implements OnApplicationShutdown {
  private worker: Promise<Worker> | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  private count = 0;

  /** Refuses a schema that cannot be used. */
  async requireGood(schema: object, field: string): Promise<void> {
    const problem = schemaSizeProblem(schema) ?? (await this.compileProblem(schema));
    if (problem !== null) throw refused('the schema is not valid', [{ field, message: problem.slice(0, 500) }]);
  }

  /** Refuses a response format whose schema cannot be used; `field` is where the format stands. */
  async requireGoodFormat(format: ResponseFormat | null | undefined, field = 'response_format'): Promise<void> {
    const schema = format?.type === 'json_schema' ? format.json_schema?.schema : undefined;
    if (schema) await this.requireGood(schema, `${field}.json_schema.schema`);
  }

  private compileProblem(schema: object): Promise<string | null> {
    return this.ask(schema).then(
      ({ schemaProblem }) => schemaProblem,
      () => 'it takes too long to compile',
    );
  }

  /** What is wrong with a value, or null. */
  async problemOf(schema: object, value: unknown): Promise<string | null> {
    return this.ask(schema, value).then(
      ({ schemaProblem, valueProblem }) => schemaProblem ?? valueProblem,
      () => 'it takes too long to check against the schema',
    );
  }

  private ask(schema: object, value?: unknown): Promise<SchemaAnswer> {
    const answer = this.turn.then(() => this.tried(JSON.stringify(schema), JSON.stringify(value)));
    this.turn = answer.catch(() => undefined);
    return answer;
  }

  /** A second try on a fresh thread tells a greedy schema from a busy machine. */
  private async tried(schema: string, value: string | undefined): Promise<SchemaAnswer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.askOnce({ id: ++this.count, schema, ...(value === undefined ? {} : { value }) });
      } catch (error) {
        await this.drop();
        if (attempt >= MAX_TRIES) throw error;
      }
    }
  }

  private async askOnce(question: SchemaQuestion): Promise<SchemaAnswer> {
    const worker = await (this.worker ??= startWorker());
    const silent = new AbortController();
    const answered = once(worker, 'message', { signal: silent.signal }) as Promise<[SchemaAnswer]>;
    const timer = setTimeout(() => silent.abort(), BUDGET_MS);
    try {
      worker.postMessage(question);
      return (await answered)[0];
    } finally {
      clearTimeout(timer);
    }
  }

  private async drop(): Promise<void> {
    const worker = await this.worker?.catch(() => undefined);
    this.worker = undefined;
    await worker?.terminate();
  }

  onApplicationShutdown(): Promise<void> {
    return this.drop();
  }
}

async function startWorker(): Promise<Worker> {
  const worker = new Worker(new URL('./schema-worker.js', import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  worker.unref();
  // A thread that ran out of memory says so at any moment; without a listener that would end the process.
  worker.on('error', () => undefined);
  await once(worker, 'message');
  return worker;
}
