import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Logger } from '@signalbox/platform';
import { framesOf, isAddressed, ROLL_CALL } from '../frames/frames.js';
import { callsOf, isOwnInbox, readCallSubject } from '../senders.js';
import { encode } from '../wire.js';

/**
 * The subscriptions to the calls of contracts: those that any process of the service serves, and those addressed to
 * this process, whose id it reports to callers that have lost a call (docs/decisions/111).
 */
export function subscribeToCalls(
  nats: NatsConnection,
  contracts: Iterable<string>,
  { id, queue, log, receive }: { id: string; queue: string; log: Logger; receive: (message: Msg) => void },
): Subscription[] {
  const subscribe = (subject: string, take: (message: Msg) => void, options = {}): Subscription =>
    nats.subscribe(subject, {
      ...options,
      callback: (error, message) => {
        if (error) log.error({ error }, 'bus subscription failed');
        else take(message);
      },
    });
  const report = (message: Msg): void => {
    if (isOwnInbox(readCallSubject(message.subject).sender, message.reply)) message.respond(encode(id));
  };
  const serve = (message: Msg): void => {
    if (!isAddressed(message)) receive(message);
  };
  return [...contracts].flatMap((contract) => [
    subscribe(callsOf(contract), serve, { queue }),
    subscribe(callsOf(contract, framesOf(id)), receive),
    subscribe(callsOf(contract, ROLL_CALL), report),
  ]);
}
