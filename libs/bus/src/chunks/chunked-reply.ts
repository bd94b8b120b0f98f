import type { MsgHdrs } from '@nats-io/transport-node';
import { type Chunks, toApiError } from '@signalbox/contracts';
import type { Flow } from './flow.js';
import { encode, endHeaders, errorReply, replyHeaders } from '../calls/wire.js';

/** Sends one message of a reply. */
export type Send = (payload: Uint8Array, headers?: MsgHdrs) => void;

/** Below what the bus carries in one message. */
const MAX_PIECE_BYTES = 524_288;
/** More than this does not wait for the end of its turn. */
const TURN_CHARS = 32_768;

/**
 * Sends a reply in pieces, no faster than its receiver takes them. What is made in one turn of the event loop leaves as
 * one message. When the receiver has left, the pieces are still asked for until their maker, who is told by the signal,
 * has come to an end of its own: it may have to write down how the call ended. Answers the status.
 */
export async function sendChunks({ pieces, headers }: Chunks, flow: Flow | null, send: Send): Promise<number> {
  const outbound = new Outbound(replyHeaders(headers), flow, send);
  try {
    for await (const text of pieces) {
      outbound.add(text);
      await flow?.ready();
    }
    outbound.end();
    return 200;
  } catch (thrown) {
    outbound.flush();
    const { payload, headers: failed } = errorReply(thrown);
    send(payload, failed);
    return toApiError(thrown).status;
  }
}

/** What waits for the end of its turn. */
class Outbound {
  private waiting = '';
  private turn: NodeJS.Immediate | undefined;

  constructor(
    private head: MsgHdrs | undefined,
    private readonly flow: Flow | null,
    private readonly send: Send,
  ) {}

  add(text: string): void {
    if (this.flow?.signal.aborted) return;
    this.waiting += text;
    if (this.waiting.length >= TURN_CHARS) this.flush();
    else this.turn ??= setImmediate(() => this.flush());
  }

  flush(): void {
    clearImmediate(this.turn);
    this.turn = undefined;
    for (const piece of cut(encode(this.waiting))) {
      this.flow?.spend(piece.length);
      this.send(piece, this.head);
      this.head = undefined;
    }
    this.waiting = '';
  }

  /** The last of it travels with the mark of the end. */
  end(): void {
    if (this.waiting.length >= TURN_CHARS) this.flush();
    clearImmediate(this.turn);
    this.send(encode(this.waiting), endHeaders(this.head));
  }
}

function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MAX_PIECE_BYTES) yield bytes.subarray(at, at + MAX_PIECE_BYTES);
}
