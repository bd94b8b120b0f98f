import type { MsgHdrs } from '@nats-io/transport-node';
import { type Chunk, type Chunks, toApiError } from '@signalbox/contracts';
import type { CreditWindow } from './credit-window.js';
import { encode, endHeaders, errorReply, replyHeaders } from '../calls/wire.js';

export type Send = (payload: Uint8Array, headers?: MsgHdrs) => void;

const MAX_CHUNK_BYTES = 524_288;
/** Larger messages do not wait for the end of the turn. */
const TURN_CHARS = 32_768;

/**
 * Sends a reply in chunks, no faster than its receiver takes them, not even one large chunk. Chunks of one event-loop
 * turn share a message. When the receiver has left, the handler's signal aborts and its chunks are read to the end,
 * because it may have to record how the call ended. Returns the status; an error that ends the chunks is sent.
 */
export async function sendChunks(
  { chunks, headers }: Chunks,
  flow: CreditWindow | null,
  send: Send,
  onFailure: (thrown: unknown) => void,
): Promise<number> {
  const outbound = new Outbound(replyHeaders(headers), flow, send);
  try {
    for await (const chunk of chunks) await outbound.add(chunk);
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

class Outbound {
  private waiting = '';
  private turn: NodeJS.Immediate | undefined;

  constructor(
    private head: MsgHdrs | undefined,
    private readonly flow: CreditWindow | null,
    private readonly send: Send,
  ) {}

  async add(chunk: Chunk): Promise<void> {
    if (this.flow?.signal.aborted) return;
    if (typeof chunk !== 'string') {
      this.flush();
      return this.sendAsRead(chunk);
    }
    this.waiting += chunk;
    if (this.waiting.length >= TURN_CHARS) return this.sendAsRead(this.taken());
    this.turn ??= setImmediate(() => this.flush());
    await this.flow?.ready();
  }

  flush(): void {
    for (const part of cut(this.taken())) this.sendPart(part);
  }

  end(): void {
    this.send(this.taken(), endHeaders(this.head));
  }

  private taken(): Uint8Array {
    clearImmediate(this.turn);
    this.turn = undefined;
    const text = this.waiting;
    this.waiting = '';
    return encode(text);
  }

  private async sendAsRead(bytes: Uint8Array): Promise<void> {
    for (const part of cut(bytes)) {
      if (this.flow?.signal.aborted) return;
      this.sendPart(part);
      await this.flow?.ready();
    }
  }

  private sendPart(part: Uint8Array): void {
    this.flow?.spend(part.length);
    this.send(part, this.head);
    this.head = undefined;
  }
}

function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MAX_CHUNK_BYTES) yield bytes.subarray(at, at + MAX_CHUNK_BYTES);
}
