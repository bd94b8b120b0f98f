import { type Msg, type MsgHdrs, type NatsConnection, nuid } from '@nats-io/transport-node';

export type ReceivedMessage = Pick<Msg, 'data'> & { headers?: MsgHdrs | undefined };

/** What waits for the messages that arrive under a token. */
export interface ReplyReceiver {
  /** The service that alone may send them. */
  readonly service: string;
  receive(error: Error | null, message: ReceivedMessage): void;
}

/** A token that receivers have one after the other. */
interface Slot {
  name: string;
  /** How often a receiver of the slot was abandoned, so that a late message is not matched to another one. */
  generation: number;
  receiver: ReplyReceiver | null;
}

/** The bus itself replies with this status to a message for a subject without subscribers. */
const NO_RESPONDERS = 503;

/** Whether the bus reports that no process subscribes to the subject of the message that this one replies to. */
export const hasNoResponders = ({ headers }: ReceivedMessage): boolean => headers?.code === NO_RESPONDERS;

/** Begins the token of a chunked reply: its messages have an order, so its sender never holds one back for others. */
export const STREAM_MARK = '-';

/**
 * The inbox of a process: every message that replies to one of its messages arrives here, on one subscription. (Nest's
 * client creates an inbox per request, and the NATS client's `request` builds an error with a stack for every success.)
 *
 * Tokens are reused, because the bus resolves a subject it has not seen lately by a full search. The slots are an array,
 * not a map: a map with a high turnover leaves its outgrown tables behind, each referencing the next one, and once one of
 * them is in the old space the garbage collector keeps everything that was ever in the later ones.
 */
export class ReplyInbox {
  private readonly prefix: string;
  private readonly id = nuid.next();
  private readonly slots: Slot[] = [];
  private readonly free: number[] = [];

  /** `name` is the user of the bus that the process connects as. */
  constructor(name: string) {
    this.prefix = `_INBOX.${name}.`;
  }

  listen(nats: NatsConnection): void {
    nats.subscribe(`${this.prefix}*.${this.id}.*`, { callback: (error, message) => this.dispatch(error, message) });
  }

  /** Registers a receiver and returns its token. */
  open(receiver: ReplyReceiver): string {
    const index =
      this.free.pop() ?? this.slots.push({ name: this.slots.length.toString(36), generation: 0, receiver: null }) - 1;
    const slot = this.slots[index] as Slot;
    slot.receiver = receiver;
    return slot.name;
  }

  /** The subject of a token; the permissions of the bus let no other service send to it. */
  addressOf(service: string, token: string): string {
    return `${this.prefix}${service}.${this.id}.${token}`;
  }

  /** Passes on a message that came as a part of another one, from the service that sent that one. */
  deliver(service: string, token: string, error: Error | null, message: ReceivedMessage): void {
    const receiver = this.slotOf(token)?.receiver;
    if (receiver?.service === service) receiver.receive(error, message);
  }

  /** Closes a token under which nothing more arrives. */
  close(token: string): void {
    this.remove(token, false);
  }

  /** Closes a token under which messages may still arrive. */
  abandon(token: string): void {
    this.remove(token, true);
  }

  private dispatch(error: Error | null, message: Msg): void {
    const [service = '', , token = ''] = message.subject.slice(this.prefix.length).split('.');
    this.deliver(service, token.startsWith(STREAM_MARK) ? token.slice(STREAM_MARK.length) : token, error, message);
  }

  private remove(token: string, rename: boolean): void {
    const slot = this.slotOf(token);
    if (!slot?.receiver) return;
    const index = indexOf(token);
    slot.receiver = null;
    if (rename) slot.name = `${index.toString(36)}-${(++slot.generation).toString(36)}`;
    this.free.push(index);
  }

  private slotOf(token: string): Slot | undefined {
    const slot = this.slots[indexOf(token)];
    return slot?.name === token ? slot : undefined;
  }
}

const indexOf = (token: string): number => parseInt(token, 36);
