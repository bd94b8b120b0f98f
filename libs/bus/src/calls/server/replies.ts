import { refused } from '@signalbox/contracts';
import type { Logger } from '@signalbox/platform';
import type { ReceivedCall } from '../frames/received-frames.js';
import { type BusConnection, MIN_PAYLOAD_BYTES } from '../../connection.js';
import { errorReply, type Keepalives, type replyHeaders, workingHeaders } from '../wire.js';

/** Reserved of the payload limit for subject and headers. */
const HEADER_BYTES = 16_384;

export type Outgoing = { payload: Uint8Array; headers?: ReturnType<typeof replyHeaders> };

export class Replies {
  private carried = MIN_PAYLOAD_BYTES;

  constructor(
    private readonly connection: BusConnection,
    private readonly log: Logger,
    private readonly processId: string,
  ) {}

  /** While the connection is down, the last known limit. */
  get maxBytes(): number {
    this.carried = this.connection.nats.info?.max_payload ?? this.carried;
    return this.carried - HEADER_BYTES;
  }

  /** 422: a repeated read would be as large. Not for writes, which have had their effect by now. */
  requireCarried({ length }: Uint8Array): void {
    const { maxBytes } = this;
    if (length > maxBytes) throw refused(`the reply has ${length} bytes, more than the ${maxBytes} of one reply`);
  }

  /** Too large a message becomes an error at once, never a missing reply. */
  send(message: ReceivedCall, { payload, headers }: Outgoing): void {
    try {
      if (payload.length > this.maxBytes)
        throw new Error(`the reply has ${payload.length} bytes, the bus carries ${this.maxBytes}`);
      message.respond(payload, headers ? { headers } : undefined);
    } catch (error) {
      this.log.error({ error, subject: message.subject }, 'reply could not be sent');
      this.refuse(message, errorReply(error));
    }
  }

  private refuse(message: ReceivedCall, { payload, headers }: ReturnType<typeof errorReply>): void {
    try {
      message.respond(payload, { headers });
    } catch {
      // The connection is closed: the caller notices missing keepalives.
    }
  }

  /**
   * Lets the caller of a slow call detect the death of this process within seconds instead of at the deadline. The
   * first keepalive confirms the receipt. Returns what ends them.
   */
  startKeepalives(message: ReceivedCall, { firstMs, everyMs }: Keepalives): () => void {
    const empty = new Uint8Array();
    const send = (): void => this.send(message, { payload: empty, headers: workingHeaders(this.processId) });
    const first = (): void => {
      send();
      timer = setInterval(send, everyMs);
    };
    let timer = setTimeout(first, firstMs);
    return () => clearTimeout(timer);
  }
}
