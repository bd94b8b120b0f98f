import { Injectable } from '@nestjs/common';
import {
  ApiError,
  type Caller,
  type InputOf,
  invalidField,
  type RunComparison,
  type RunDifference,
  type testRuns,
} from '@signalbox/contracts';
import { type ComparedRunRow, ComparedRuns, type PairSums } from './compared-runs.repository.js';
import { type Compared, differencesOf, type Pairs } from './differences.js';

type Input = InputOf<typeof testRuns.endpoints.compareTestRuns>;

/** Items per statement, with up to 20 criteria each. */
const PART = 5000;

@Injectable()
export class Comparisons {
  constructor(private readonly rows: ComparedRuns) {}

  /** Ends between two statements when `signal` aborts or the deadline of the caller has passed. */
  async compare(
    caller: Caller,
    { test_run_ids, confidence, ...query }: Input,
    signal?: AbortSignal,
  ): Promise<RunComparison> {
    if (new Set(test_run_ids).size < test_run_ids.length)
      throw invalidField('test_run_ids', 'must not name a run twice');
    const { companyId } = caller;
    const runs = await this.rows.runs(companyId, test_run_ids);
    if (runs.some(({ test_set_id }) => test_set_id !== runs[0]?.test_set_id))
      throw invalidField('test_run_ids', 'must name runs over the same test set');
    return {
      runs: runs.map(({ id, match_rate, usage, cost, duration_ms }) => ({ id, match_rate, usage, cost, duration_ms })),
      ...(await this.rows.page(companyId, runs, query)),
      ...(confidence === undefined ? {} : { differences: await this.differences(caller, runs, confidence, signal) }),
    };
  }

  private async differences(
    { companyId, deadline }: Caller,
    [base, ...others]: readonly ComparedRunRow[],
    confidence: number,
    signal: AbortSignal | undefined,
  ): Promise<RunDifference[]> {
    if (!base) return [];
    const positions = await this.rows.positions(companyId, base.uuid);
    const compared: Compared[] = [];
    for (const other of others) {
      const total = new PairTotals();
      for (let start = 0; start < positions; start += PART) {
        signal?.throwIfAborted();
        if (Date.now() > deadline) throw new ApiError('timeout', 'the runs take too long to compare');
        total.add(await this.rows.sums(companyId, base.uuid, other.uuid, { start, end: start + PART }));
      }
      for (const named of total.pairs) compared.push({ test_run_id: other.id, base_run_id: base.id, ...named });
    }
    return differencesOf(compared, confidence);
  }
}

const NO_PAIRS = {
  n: 0,
  both: 0,
  only_first: 0,
  only_second: 0,
  neither: 0,
  sum: 0,
  squares: 0,
  repeats: 1,
} as const;

/** `null` is the match rate. */
class PairTotals {
  private readonly totals = new Map<number | null, PairSums>([
    [null, { criteria_id: null, name: 'match_rate', criteria_type: 'BOOLEAN', ...NO_PAIRS }],
  ]);

  add(part: readonly PairSums[]): void {
    for (const sums of part) {
      const total = this.totals.get(sums.criteria_id);
      this.totals.set(sums.criteria_id, total ? addedUp(total, sums) : sums);
    }
  }

  get pairs(): (Pick<Compared, 'criteria_id' | 'name'> & { pairs: Pairs })[] {
    return [...this.totals.values()]
      .sort((one, other) => (one.criteria_id ?? 0) - (other.criteria_id ?? 0))
      .map((sums) => ({ criteria_id: sums.criteria_id, name: sums.name, pairs: pairsOf(sums) }));
  }
}

const addedUp = (one: PairSums, other: PairSums): PairSums => ({
  ...one,
  n: one.n + other.n,
  both: one.both + other.both,
  only_first: one.only_first + other.only_first,
  only_second: one.only_second + other.only_second,
  neither: one.neither + other.neither,
  sum: one.sum + other.sum,
  squares: one.squares + other.squares,
  repeats: Math.max(one.repeats, other.repeats),
});

const pairsOf = ({ criteria_type, n, sum, squares, repeats, ...counts }: PairSums): Pairs => ({
  n,
  isBinary: criteria_type === 'BOOLEAN',
  repeats,
  counts: {
    both: counts.both,
    onlyFirst: counts.only_first,
    onlySecond: counts.only_second,
    neither: counts.neither,
  },
  sum,
  squares,
});
