import type { PushStream } from '@signalbox/platform';
import { type ChatChunk, ProviderError } from '@signalbox/llm';

export interface OpenedStream {
  first: ChatChunk;
  rest: PushStream<ChatChunk>;
}

/** Resolves once the first chunk has arrived; later chunks are buffered until they are read. */
export const begun = (chunks: PushStream<ChatChunk>): Promise<OpenedStream> =>
  new Promise((resolve, reject) => {
    const chunk = (first: ChatChunk): void => {
      chunks.pause();
      resolve({ first, rest: chunks });
    };
    chunks.to({ chunk, end: () => reject(emptyStreamError()), fail: reject });
  });

export const emptyStreamError = (): ProviderError =>
  new ProviderError({
    failureClass: 'provider',
    code: 'stream_interrupted',
    message: 'the stream of the provider ended before the answer was complete',
  });
