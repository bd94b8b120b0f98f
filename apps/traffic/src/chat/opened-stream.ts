import type { PushStream } from '@signalbox/contracts';
import { type ChatChunk, ProviderError } from '@signalbox/llm';

/** A stream whose first piece is there. */
export interface OpenedStream {
  first: ChatChunk;
  rest: PushStream<ChatChunk>;
}

/** A stream as soon as its first piece is there; what comes then waits for somebody who takes it. */
export const begun = (chunks: PushStream<ChatChunk>): Promise<OpenedStream> =>
  new Promise((resolve, reject) => {
    const part = (first: ChatChunk): void => {
      chunks.pause();
      resolve({ first, rest: chunks });
    };
    chunks.to({ part, end: () => reject(emptyStreamError()), fail: reject });
  });

/** A stream that ended before it said anything. */
export const emptyStreamError = (): ProviderError =>
  new ProviderError({
    failureClass: 'provider',
    code: 'stream_interrupted',
    message: 'the stream of the provider ended before the answer was complete',
  });
