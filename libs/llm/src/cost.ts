import type { TokenUsage } from './chat.js';

/** Dollars per million tokens. */
export interface TokenPrices {
  input_price_per_mtok: number | null;
  output_price_per_mtok: number | null;
}

/** In dollars; null when the usage or the prices are unknown. */
export function costOf(usage: TokenUsage | null | undefined, prices: TokenPrices): number | null {
  const { input_price_per_mtok: input, output_price_per_mtok: output } = prices;
  if (!usage || (input === null && output === null)) return null;
  const dollars = (usage.prompt_tokens * (input ?? 0) + usage.completion_tokens * (output ?? 0)) / 1_000_000;
  // Ten decimals hold the smallest price per token; further digits are floating-point noise.
  return Number(dollars.toFixed(10));
}
