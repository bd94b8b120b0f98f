import type { Scrubber } from './scrubber.js';

/** Reads to the end or to the limit, whichever comes first, and scrubs what was read. */
export async function collected(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  scrubber: Scrubber,
): Promise<{ body: Buffer; truncated: boolean }> {
  const parts: Buffer[] = [];
  let left = maxBytes;
  for await (const chunk of chunks) {
    if (chunk.length > left) {
      parts.push(chunk.subarray(0, left));
      return { body: scrubber.cut(Buffer.concat(parts)), truncated: true };
    }
    left -= chunk.length;
    parts.push(chunk);
  }
  const raw = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  return { body: scrubber.bytes(raw), truncated: false };
}
