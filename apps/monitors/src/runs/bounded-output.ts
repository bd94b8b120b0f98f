/** Chosen: larger outputs, as a rule those of `direct`, are payloads that their own service keeps already. */
const MAX_BYTES = 16_384;
const EXCERPT_CHARS = 1000;

/** The output of a runner as it is stored: unchanged, or its size and beginning. */
export function boundedOutput(output: unknown): unknown {
  const text = JSON.stringify(output) ?? 'null';
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_BYTES) return output ?? null;
  return { truncated: true, bytes, excerpt: text.slice(0, EXCERPT_CHARS).toWellFormed() };
}
