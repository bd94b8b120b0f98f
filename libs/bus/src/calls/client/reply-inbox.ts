import { type Msg, type MsgHdrs, type NatsConnection, nuid } from '@nats-io/transport-node';

export type ReceivedMessage = Pick<Msg, 'data'> & { headers?: MsgHdrs | undefined };

export interface ReplyReceiver {
  /** The only service that may send them. */
  readonly service: string;
  receive(error: Error | null, message: ReceivedMessage): void;
}

/** A token, used by one receiver after the other. */
interface Slot {
  name: string;
  /** Increases with each abandoned receiver, so that a late message does not reach the next one. */
  generation: number;
  receiver: ReplyReceiver | null;
}

/** The status with which NATS replies to a message for a subject without subscribers. */
const NO_RESPONDERS = 503;

export const hasNoResponders = ({ headers }: ReceivedMessage): boolean => headers?.code === NO_RESPONDERS;

/** Begins the tokens of chunked replies: their messages are ordered, so the sender never holds one back. */
export const STREAM_MARK = '-';

/**
 * The one subscription for all replies to this process. (Nest's client creates an inbox per request, and `request` of
 * the NATS client builds an error with a stack for every success.)
 *
 * Tokens are reused, because NATS resolves subjects that it has not seen lately by a full search. The slots are an
 * array: a map with high turnover leaves outgrown tables behind, each referencing the next, and once one is in the old
 * space the garbage collector keeps everything that was ever in the later ones.
 */
export class ReplyInbox {
  private readonly prefix: string;
  private readonly id = nuid.next();
  private readonly slots: Slot[] = [];
  private readonly free: number[] = [];

  constructor(name: string) {
    this.prefix = `_INBOX.${name}.`;
  }

  listen(nats: NatsConnection): void {
    nats.subscribe(`${this.prefix}*.${this.id}.*`, { callback: (error, message) => this.dispatch(error, message) });
  }

  open(receiver: ReplyReceiver): string {
    const index =
      this.free.pop() ?? this.slots.push({ name: this.slots.length.toString(36), generation: 0, receiver: null }) - 1;
    const slot = this.slots[index] as Slot;
    slot.receiver = receiver;
    return slot.name;
  }

  /** The permissions of the bus let only this service send to it. */
  addressOf(service: string, token: string): string {
    return `${this.prefix}${service}.${this.id}.${token}`;
  }

  /** Delivers a message that came inside another one, from the service that sent that. */
  deliver(service: string, token: string, error: Error | null, message: ReceivedMessage): void {
    const receiver = this.slotOf(token)?.receiver;
    if (receiver?.service === service) receiver.receive(error, message);
  }

  close(token: string): void {
    this.remove(token, false);
  }

  /** For tokens under which messages may still arrive. */
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
