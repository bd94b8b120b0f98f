import type { Usage } from '@signalbox/contracts';

export type { Usage };

export const NO_USAGE: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: null };

/** The cost is null when neither has one. */
export const addUsage = (left: Usage, right: Usage): Usage => ({
  prompt_tokens: left.prompt_tokens + right.prompt_tokens,
  completion_tokens: left.completion_tokens + right.completion_tokens,
  total_tokens: left.total_tokens + right.total_tokens,
  cost: left.cost === null && right.cost === null ? null : (left.cost ?? 0) + (right.cost ?? 0),
});

export const isUsed = ({ total_tokens, prompt_tokens, completion_tokens, cost }: Usage): boolean =>
  total_tokens + prompt_tokens + completion_tokens > 0 || cost !== null;
