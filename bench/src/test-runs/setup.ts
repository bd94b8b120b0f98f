import type { ConsumerKind, FileImport, ScoreSummary, TestRun, TestSet } from '@signalbox/contracts';
import type { PlatformOptions } from '@signalbox/testing';
import { ChatSetup } from '../chat/setup.js';
import { apiOf, followToEnd } from './api.js';
import { itemsOf, matchesOf } from './items.js';

/** Seconds of the three steps of a run. */
export interface RunTimes {
  prepare: number;
  execute: number;
  score: number;
}

/** What a run drives, as a run names it. */
export interface Driven {
  consumer_kind: ConsumerKind;
  consumer_config: object;
}

const MODEL: Driven = {
  consumer_kind: 'MODEL',
  consumer_config: { model: 'bench-model', temperature: 0.2, max_tokens: 300 },
};

/** A run that has ended: how long it took, and the items that ended otherwise than expected or are not in the log. */
export interface EndedRun extends RunTimes {
  errors: number;
}

/** The product with a test set and a model, all of it used over HTTP. */
export class TestRunSetup {
  static readonly NEEDS: PlatformOptions = {
    ...ChatSetup.NEEDS,
    services: ['accounts', 'traffic', 'test-runs', 'gateway'],
  };

  private executed = 0;

  private constructor(
    readonly chat: ChatSetup,
    readonly items: number,
    private readonly setId: number,
  ) {}

  /** Imports the items into a new test set. */
  static async on(chat: ChatSetup, items: number): Promise<TestRunSetup> {
    const set = await apiOf<TestSet>(chat, 'POST', '/unified-test-sets', { name: 'Golden' });
    const rows = itemsOf(items).map(({ question, expected }) =>
      JSON.stringify({
        input: { messages: [{ role: 'user', content: question }] },
        expected_output: { text: expected },
      }),
    );
    const path = `/unified-test-sets/${set.id}/import-file`;
    const { created } = await apiOf<FileImport>(chat, 'POST', path, rows.join('\n'), 'application/jsonl');
    if (created !== items) throw new Error(`${created} of ${items} items were imported`);
    return new TestRunSetup(chat, items, set.id);
  }

  /** Prepares, executes and scores a new run. */
  async run(concurrency: number, driven = MODEL): Promise<EndedRun> {
    const run = { test_set_id: this.setId, ...driven };
    const { id } = await apiOf<TestRun>(this.chat, 'POST', '/unified-test-runs', run);
    const path = `/unified-test-runs/${id}`;
    const began = performance.now();
    await apiOf(this.chat, 'POST', `${path}/prepare`);
    const prepared = performance.now();
    await apiOf(this.chat, 'POST', `${path}/execute`, { concurrency });
    const ended = await this.completed(path);
    const executed = performance.now();
    const summary = await apiOf<ScoreSummary>(this.chat, 'POST', `${path}/score`, {});
    const scored = performance.now();
    return {
      prepare: (prepared - began) / 1000,
      execute: (executed - prepared) / 1000,
      score: (scored - executed) / 1000,
      errors: await this.errorsOf(ended, summary),
    };
  }

  /** Follows the stream of the run until its end; asking again and again would delay the end and cost its own time. */
  private async completed(path: string): Promise<TestRun> {
    await followToEnd(this.chat, `${path}/stream`);
    const run = await apiOf<TestRun>(this.chat, 'GET', path);
    if (run.status !== 'COMPLETED') throw new Error(`the stream of a run ended while it is ${run.status}`);
    return run;
  }

  private async errorsOf(run: TestRun, summary: ScoreSummary): Promise<number> {
    const { items } = this;
    this.executed += items;
    const unlogged = Math.abs(this.executed - (await this.chat.recorded(this.executed)));
    const unscored = Math.abs(items - summary.scored) + Math.abs(matchesOf(items) - summary.matched);
    return unlogged + unscored + Math.abs(items - run.completed_items);
  }
}
