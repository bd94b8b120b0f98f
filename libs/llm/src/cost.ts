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
  const dollars = (usage.prompt_tokens * (input ?? 0) + outputTokens(usage) * (output ?? 0)) / 1_000_000;
  // Ten decimals hold the smallest price per token; further digits are floating-point noise.
  return Number(dollars.toFixed(10));
}

/** Some providers count the tokens of reasoning, which they bill as output, in the total alone. */
function outputTokens({ prompt_tokens, completion_tokens, total_tokens }: TokenUsage): number {
  return Math.max(completion_tokens, total_tokens - prompt_tokens);
}
