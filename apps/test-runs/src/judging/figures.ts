import type { CriteriaConfig } from '@signalbox/contracts';
import type { Check } from './criterion-checks.js';
import { JudgeFailed } from './judge-failed.js';
import type { Observed } from './output.js';

export function checkLatency({ latency_ms }: Observed, { max_latency_ms: most = 0 }: CriteriaConfig): Check {
  if (latency_ms === null) throw new JudgeFailed('it is not known how long the item took');
  return { passed: latency_ms <= most, description: `took ${latency_ms} ms, at most ${most} ms` };
}

export function checkCost(cost: number | null, { max_cost: most = 0 }: CriteriaConfig): Check {
  if (cost === null) throw new JudgeFailed('the cost of the item is not known: a model that it used has no price');
  return { passed: cost <= most, description: `cost ${dollars(cost)}, at most ${dollars(most)}` };
}

/** Without an exponent, to 8 decimals. */
const dollars = (amount: number): string => `$${amount.toFixed(8).replace(/\.?0+$/, '')}`;
