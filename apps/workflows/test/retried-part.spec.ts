import { EvaluationThreads, SchemaChecker } from '@signalbox/conditions';
import { conflict } from '@signalbox/contracts';
import { retriedPart } from '@signalbox/runs';

const { signal } = new AbortController();
/** Takes all of the time that an evaluation may use. */
const COSTLY = { type: 'string', pattern: '^(?!(a+)+$)' };

describe('a part of an attempt', () => {
  it('is repeated while the check of an output finds no place among those that wait', async () => {
    const threads = new EvaluationThreads({ waiting: 1, budgetMs: 50 });
    const schemas = new SchemaChecker(threads);
    let tries = 0;
    const before = Promise.allSettled([1, 2].map(() => schemas.problemOf(1, COSTLY, `${'a'.repeat(40)}!`)));
    const problem = retriedPart(signal, () => {
      tries++;
      return schemas.problemOf(1, { type: 'integer' }, 'text');
    });
    expect(await problem).toBe('it must be integer');
    expect(tries).toBeGreaterThan(1);
    await before;
    await threads.onApplicationShutdown();
  });

  it('ends with the attempt, and with an error that a repeat would meet again', async () => {
    const threads = new EvaluationThreads({ waiting: 0 });
    const schemas = new SchemaChecker(threads);
    const attempt = new AbortController();
    const waiting = retriedPart(attempt.signal, () => schemas.problemOf(1, { type: 'integer' }, 1));
    attempt.abort(new Error('the lease was lost'));
    await expect(waiting).rejects.toThrow('the lease was lost');
    await expect(retriedPart(signal, () => Promise.reject(conflict('taken')))).rejects.toThrow('taken');
    await threads.onApplicationShutdown();
  });
});
