import type { MsgHdrs } from '@nats-io/transport-node';
import { type Chunks, toApiError } from '@signalbox/contracts';
import type { Flow } from './flow.js';
import { encode, endHeaders, errorReply, replyHeaders } from './wire.js';

/** Sends one message of a reply. */
export type Send = (payload: Uint8Array, headers?: MsgHdrs) => void;

const EMPTY = new Uint8Array();
/** Below what the bus carries in one message. */
const MAX_PIECE_BYTES = 524_288;

/**
 * Sends a reply in pieces, no faster than its receiver takes them. When the receiver has left, the pieces are still
 * asked for until their maker, who is told by the signal, has come to an end of its own: it may have to write down
 * how the call ended. Answers the status.
 */
export async function sendPieces({ pieces, headers }: Chunks, flow: Flow | null, send: Send): Promise<number> {
  let head: MsgHdrs | undefined = replyHeaders(headers);
  try {
    for await (const text of pieces) {
      if (flow?.signal.aborted) continue;
      for (const piece of cut(encode(text))) {
        flow?.spend(piece.length);
        send(piece, head);
        head = undefined;
      }
      await flow?.ready();
    }
    send(EMPTY, head ? merged(head) : endHeaders());
    return 200;
  } catch (thrown) {
    const { payload, headers: failed } = errorReply(thrown);
    send(payload, failed);
    return toApiError(thrown).status;
  }
}

/** A reply without a single piece is told in one message. */
function merged(head: MsgHdrs): MsgHdrs {
  const both = endHeaders();
  for (const name of head.keys()) both.set(name, head.get(name));
  return both;
}

function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MAX_PIECE_BYTES) yield bytes.subarray(at, at + MAX_PIECE_BYTES);
}
