/** Larger outputs, mostly those of `direct`, are payloads that their own service stores already. */
const MAX_BYTES = 16_384;
const EXCERPT_CHARS = 1000;
const MAX_BYTES_OF_CHAR = 3;

/** JSON of an output as it is stored: unchanged, or its size and beginning. */
export function boundedOutput(output: unknown): string {
  const text = JSON.stringify(output) ?? 'null';
  if (text.length * MAX_BYTES_OF_CHAR <= MAX_BYTES) return text;
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_BYTES) return text;
  return JSON.stringify({ truncated: true, bytes, excerpt: text.slice(0, EXCERPT_CHARS).toWellFormed() });
}
