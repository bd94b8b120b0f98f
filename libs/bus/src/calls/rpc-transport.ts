import type { Caller, Endpoint } from '@signalbox/contracts';
import type { WireReply } from './wire.js';

export interface ChunkedReply {
  readonly headers: Record<string, string>;
  readonly chunks: AsyncIterable<Uint8Array | string>;
}

/** Carries calls over the bus or within the process. Errors are ApiErrors. */
export interface RpcTransport {
  /** Aborting `signal` cancels an abandonable call in its service. */
  request(endpoint: Endpoint, input: object, caller: Caller, signal?: AbortSignal): Promise<WireReply>;

  /**
   * Resolves with the first chunk. Chunks are read no faster than the iterable is consumed; returning from the
   * iterable, or aborting `signal`, cancels the call in its service.
   */
  open(endpoint: Endpoint, input: object, caller: Caller, signal?: AbortSignal): Promise<ChunkedReply>;
}
