import type { MsgHdrs } from '@nats-io/transport-node';
import { type Chunk, type Chunks, toApiError } from '@signalbox/contracts';
import type { CreditWindow } from './credit-window.js';
import { encode, endHeaders, errorReply, replyHeaders } from '../calls/wire.js';

/** Sends one message of a reply. */
export type Send = (payload: Uint8Array, headers?: MsgHdrs) => void;

/** Below the payload limit of the bus. */
const MAX_CHUNK_BYTES = 524_288;
/** Characters above which a message does not wait for the end of its turn. */
const TURN_CHARS = 32_768;

/**
 * Sends a reply in chunks, no faster than its receiver takes them. The chunks of one turn of the event loop are sent as
 * one message. When the receiver has left, the handler is aborted by its signal, and its chunks are read to their end,
 * because it may have to record how the call ended. Returns the status; reports an error that ends the chunks.
 */
export async function sendChunks(
  { chunks, headers }: Chunks,
  flow: CreditWindow | null,
  send: Send,
  onFailure: (thrown: unknown) => void,
): Promise<number> {
  const outbound = new Outbound(replyHeaders(headers), flow, send);
  try {
    for await (const chunk of chunks) {
      outbound.add(chunk);
      await flow?.ready();
    }
    outbound.end();
    return 200;
  } catch (thrown) {
    onFailure(thrown);
    outbound.flush();
    const { payload, headers: failed } = errorReply(thrown);
    send(payload, failed);
    return toApiError(thrown).status;
  }
}

/** Chunks that wait for the end of their turn. */
class Outbound {
  private waiting = '';
  private turn: NodeJS.Immediate | undefined;

  constructor(
    private head: MsgHdrs | undefined,
    private readonly flow: CreditWindow | null,
    private readonly send: Send,
  ) {}

  add(chunk: Chunk): void {
    if (this.flow?.signal.aborted) return;
    if (typeof chunk !== 'string') {
      this.flush();
      return this.sendAll(chunk);
    }
    this.waiting += chunk;
    if (this.waiting.length >= TURN_CHARS) this.flush();
    else this.turn ??= setImmediate(() => this.flush());
  }

  flush(): void {
    clearImmediate(this.turn);
    this.turn = undefined;
    this.sendAll(encode(this.waiting));
    this.waiting = '';
  }

  private sendAll(bytes: Uint8Array): void {
    for (const chunk of cut(bytes)) {
      this.flow?.spend(chunk.length);
      this.send(chunk, this.head);
      this.head = undefined;
    }
  }

  /** The last message has the mark of the end. */
  end(): void {
    if (this.waiting.length >= TURN_CHARS) this.flush();
    clearImmediate(this.turn);
    this.send(encode(this.waiting), endHeaders(this.head));
  }
}

function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MAX_CHUNK_BYTES) yield bytes.subarray(at, at + MAX_CHUNK_BYTES);
}
