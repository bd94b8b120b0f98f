import { answer } from '../measure/answer.js';
import { itemsOf } from '../test-runs/items.js';

// promptfoo as a program calls it: results are kept in its database, as its command line does, and as test runs are kept.

export interface EvaluateQuestion {
  items: number;
  concurrency: number;
}

export interface EvaluateAnswer {
  /** By its own clock: reading the suite and the results again is not in it. */
  seconds: number;
  matched: number;
  mismatched: number;
}

interface Summary {
  stats: { successes: number; failures: number; durationMs: number };
}

/** The part of its interface that is used here. */
interface Promptfoo {
  evaluate(suite: object, options: object): Promise<{ toEvaluateSummary(): Promise<Summary> }>;
}

Object.assign(process.env, {
  PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1',
  PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
  LOG_LEVEL: 'error',
});

const { default: promptfoo } = (await import(process.env.PROMPTFOO ?? '')) as { default: Promptfoo };

const PROVIDER = {
  id: 'openai:chat:bench-model',
  config: { apiBaseUrl: process.env.UPSTREAM, apiKey: 'sk-anything', temperature: 0.2, max_tokens: 300 },
};

async function evaluate({ items, concurrency }: EvaluateQuestion): Promise<EvaluateAnswer> {
  const tests = itemsOf(items).map(({ question, expected }) => ({
    vars: { question },
    assert: [{ type: 'equals', value: expected }],
  }));
  const suite = { prompts: ['{{question}}'], providers: [PROVIDER], tests, writeLatestResults: true };
  const evaluation = await promptfoo.evaluate(suite, {
    maxConcurrency: concurrency,
    cache: false,
    showProgressBar: false,
  });
  const { stats } = await evaluation.toEvaluateSummary();
  return { seconds: stats.durationMs / 1000, matched: stats.successes, mismatched: stats.failures };
}

answer<EvaluateQuestion>(evaluate, () => Promise.resolve());
