import type { PushStream } from '@signalbox/platform';
import { type ChatChunk, ProviderError } from '@signalbox/llm';

/** A stream whose first chunk has arrived. */
export interface OpenedStream {
  first: ChatChunk;
  rest: PushStream<ChatChunk>;
}

/** Resolves with a stream once its first chunk has arrived; later chunks are buffered until they are read. */
export const begun = (chunks: PushStream<ChatChunk>): Promise<OpenedStream> =>
  new Promise((resolve, reject) => {
    const chunk = (first: ChatChunk): void => {
      chunks.pause();
      resolve({ first, rest: chunks });
    };
    chunks.to({ chunk, end: () => reject(emptyStreamError()), fail: reject });
  });

/** The error of a stream that ended before its first chunk. */
export const emptyStreamError = (): ProviderError =>
  new ProviderError({
    failureClass: 'provider',
    code: 'stream_interrupted',
    message: 'the stream of the provider ended before the answer was complete',
  });
