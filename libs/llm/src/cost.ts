import type { TokenUsage } from './chat.js';

/** Prices of a model in dollars per million tokens; null when none is set. */
export interface TokenPrices {
  input_price_per_mtok: number | null;
  output_price_per_mtok: number | null;
}

/** What a call cost in dollars, or null when neither usage nor a price is known. */
export function costOf(usage: TokenUsage | null | undefined, prices: TokenPrices): number | null {
  const { input_price_per_mtok: input, output_price_per_mtok: output } = prices;
  if (!usage || (input === null && output === null)) return null;
  const dollars = (usage.prompt_tokens * (input ?? 0) + usage.completion_tokens * (output ?? 0)) / 1_000_000;
  // Ten decimals hold a ten-thousandth of a cent's thousandth; beyond them is only binary noise.
  return Number(dollars.toFixed(10));
}
