import type { PushStream, Sink } from '@signalbox/platform';
import type { Scrubber } from '../secrets/scrubber.js';

export interface CollectedBody {
  body: Buffer;
  truncated: boolean;
}

/**
 * Reads to the end or to the limit. Each chunk is scrubbed when it arrives, since a large body at once would block the
 * event loop.
 */
export const collected = (chunks: PushStream<Buffer>, maxBytes: number, scrubber: Scrubber): Promise<CollectedBody> =>
  new Promise((resolve, fail) => {
    const parts: Buffer[] = [];
    const scrubbing = scrubber.incremental();
    let left = maxBytes;
    const chunk = (bytes: Buffer): void => {
      parts.push(scrubbing.push(bytes.length > left ? bytes.subarray(0, left) : bytes));
      left -= bytes.length;
      if (left >= 0) return;
      chunks.stop();
      // The possible beginning of a secret is held back, and thus left out.
      resolve({ body: joined(parts), truncated: true });
    };
    const end = (): void => resolve({ body: joined([...parts, scrubbing.end()]), truncated: false });
    chunks.to({ chunk, end, fail } satisfies Sink<Buffer>);
  });

const joined = (parts: Buffer[]): Buffer => (parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts));
