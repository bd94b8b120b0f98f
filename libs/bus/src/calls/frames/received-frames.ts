import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { ApiError } from '@signalbox/contracts';
import type { Headers } from '../wire.js';
import { type FramedReply, frameReplies, isFrame, readCalls } from './frames.js';

export interface ReceivedCall extends Pick<Msg, 'subject' | 'data' | 'respond'> {
  reply?: string | undefined;
  headers?: Headers | undefined;
}

const isStreamToken = (token: string): boolean => token.startsWith('-');

/** Larger replies are sent alone. */
const MAX_PAYLOAD_BYTES = 65_536;

class FrameReplies {
  private gathered: FramedReply[] = [];

  constructor(
    private readonly nats: NatsConnection,
    private readonly frame: string,
    private readonly inbox: string,
  ) {}

  inboxOf(token: string): string {
    return this.inbox + token;
  }

  send(token: string, payload: Uint8Array, options: Parameters<Msg['respond']>[1]): void {
    // Chunks are ordered, so they are not held back.
    if (options?.headers || isStreamToken(token) || payload.length > MAX_PAYLOAD_BYTES)
      return this.nats.publish(this.inboxOf(token), payload, options);
    if (this.gathered.push({ token, payload }) === 1) setImmediate(() => this.flush());
  }

  private flush(): void {
    const replies = this.gathered;
    this.gathered = [];
    const [first] = replies;
    if (!first) return;
    try {
      if (replies.length === 1) this.nats.publish(this.inboxOf(first.token), first.payload);
      else this.nats.publish(this.frame, frameReplies(replies));
    } catch {
      // The connection is closed, or the frame is not from one of our clients: callers notice the silence.
    }
  }
}

const headersOf = (headers: Readonly<Record<string, string>>): Headers => ({ get: (name) => headers[name] ?? '' });

/** A token becomes part of a subject: other characters could end it, or the protocol line. */
const TOKEN = /^[a-z0-9-]+$/;

export function callsIn(nats: NatsConnection, { subject, reply = '', data }: Msg): ReceivedCall[] {
  const contract = subject.slice(0, subject.lastIndexOf('.') + 1);
  const replies = new FrameReplies(nats, reply, reply.slice(0, reply.lastIndexOf('.') + 1));
  const calls = readCalls(data);
  if (!calls.every(({ token }) => TOKEN.test(token))) throw new ApiError('invalid', 'a frame of calls has a bad token');
  return calls.map(({ endpoint, token, headers, payload }) => ({
    subject: contract + endpoint,
    data: payload,
    reply: replies.inboxOf(token),
    headers: headersOf(headers),
    respond: (body = new Uint8Array(), options) => (replies.send(token, body as Uint8Array, options), true),
  }));
}

export function observedCalls({ subject, data, headers }: Msg): Pick<ReceivedCall, 'subject' | 'headers'>[] {
  if (!isFrame({ subject })) return [{ subject, headers }];
  const contract = subject.slice(0, subject.lastIndexOf('.') + 1);
  return readCalls(data).map((call) => ({
    subject: contract + call.endpoint,
    headers: headersOf(call.headers),
  }));
}
