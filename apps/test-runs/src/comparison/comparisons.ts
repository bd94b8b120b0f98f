import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  type InputOf,
  invalidField,
  type RunComparison,
  type RunDifference,
  type testRuns,
} from '@signalbox/contracts';
import { bootstrapMean } from './bootstrap.js';
import { comparedItems, goesInto } from './compared-items.js';
import { type ComparedRunRow, ComparedRuns, type CriterionPairs } from './compared-runs.repository.js';
import { binaryDifference, scoreDifference } from './differences.js';

type Input = InputOf<typeof testRuns.endpoints.compareTestRuns>;

/** Seed of all resampling, so that a comparison that is repeated has the same intervals. */
const SEED = 20_140_101;

/** Compares runs over the same set: item by item, and on request with the confidence of their differences. */
@Injectable()
export class Comparisons {
  constructor(private readonly rows: ComparedRuns) {}

  async compare(
    companyId: number,
    { test_run_ids, offset, limit, direction, confidence }: Input,
  ): Promise<RunComparison> {
    if (new Set(test_run_ids).size < test_run_ids.length)
      throw invalidField('test_run_ids', 'must not name a run twice');
    const runs = await this.rows.runs(companyId, test_run_ids);
    if (runs.some(({ test_set_id }) => test_set_id !== runs[0]?.test_set_id))
      throw invalidField('test_run_ids', 'must name runs over the same test set');
    const all = comparedItems(await this.rows.items(companyId, runs));
    const items = all.filter((item) => goesInto(item, test_run_ids, direction));
    return {
      runs: runs.map(({ id, match_rate }) => ({ id, match_rate })),
      items: items.slice(offset, offset + limit),
      total: items.length,
      ...(confidence === undefined
        ? {}
        : { differences: await this.differences(companyId, { runs, all, confidence }) }),
    };
  }

  /** The differences of each later run to the first one. */
  private async differences(companyId: number, { runs, all, confidence }: Compared): Promise<RunDifference[]> {
    const [base, ...others] = runs;
    if (!base) return [];
    const found: RunDifference[] = [];
    for (const other of others) {
      const named = { test_run_id: other.id, base_run_id: base.id };
      const pairs = all.flatMap(({ results }): [boolean, boolean][] => {
        const [first, second] = [results[String(base.id)], results[String(other.id)]];
        return isVerdict(first) && isVerdict(second) ? [[first.outcome === 'PASS', second.outcome === 'PASS']] : [];
      });
      found.push({ ...named, criteria_id: null, name: 'match_rate', ...binaryDifference(pairs, confidence) });
      for (const pairsOf of await this.rows.criteria(companyId, base.uuid, other.uuid)) {
        const { criteria_id, name } = pairsOf;
        found.push({ ...named, criteria_id, name, ...(await differenceOf(pairsOf, confidence)) });
      }
    }
    return found;
  }
}

interface Compared {
  runs: readonly ComparedRunRow[];
  all: ReturnType<typeof comparedItems>;
  confidence: number;
}

const isVerdict = <T extends { outcome: unknown }>(result: T | undefined): result is T =>
  result?.outcome === 'PASS' || result?.outcome === 'FAIL';

async function differenceOf({ criteria_type, first, second, criteria_id }: CriterionPairs, confidence: number) {
  if (criteria_type === 'BOOLEAN') {
    const pairs = first.map(({ passed }, at): [boolean, boolean] => [passed, second[at]?.passed ?? false]);
    return binaryDifference(pairs, confidence);
  }
  const differences = first.map(({ score }, at) => (second[at]?.score ?? 0) - score);
  const pause = async (): Promise<void> => void (await setImmediate());
  const interval =
    differences.length > 0 ? await bootstrapMean(differences, confidence, SEED + criteria_id, pause) : null;
  return scoreDifference(interval, differences.length);
}
