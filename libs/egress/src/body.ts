import { EgressFailed } from './errors.js';
import type { Lifetime } from './lifetime.js';
import type { Scrubber } from './scrubber.js';

/** Starts the silence clock anew with every chunk from the wire. */
export async function* timed(body: AsyncIterable<Buffer>, lifetime: Lifetime): AsyncGenerator<Buffer> {
  lifetime.touch();
  for await (const chunk of body) {
    lifetime.touch();
    yield chunk;
  }
}

/** Throws once more than the limit has been decoded. */
export async function* limited(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw new EgressFailed('too_large', `the answer is longer than ${maxBytes} bytes`);
    yield chunk;
  }
}

/** Reads to the end or to the limit, whichever comes first, and scrubs what was read. */
export async function collected(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  scrubber: Scrubber,
): Promise<{ body: Buffer; truncated: boolean }> {
  const parts: Buffer[] = [];
  let truncated = false;
  for await (const part of cut(chunks, maxBytes, () => (truncated = true))) parts.push(part);
  const raw = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  if (!truncated) return { body: scrubber.bytes(raw), truncated };
  // After a cut the end may be the first half of a secret; the stream knows how to leave it out.
  const kept: Buffer[] = [];
  for await (const part of scrubber.stream(one(raw), () => true)) kept.push(part);
  return { body: Buffer.concat(kept), truncated };
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function* cut(chunks: AsyncIterable<Buffer>, maxBytes: number, onCut: () => void): AsyncGenerator<Buffer> {
  let left = maxBytes;
  for await (const chunk of chunks) {
    if (chunk.length > left) {
      onCut();
      yield chunk.subarray(0, left);
      return;
    }
    left -= chunk.length;
    yield chunk;
  }
}
