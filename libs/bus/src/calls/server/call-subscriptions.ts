import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Endpoint } from '@signalbox/contracts';
import { type Logger, processReport } from '@signalbox/platform';
import { isServedBy, type ProcessRole } from '../../process-role.js';
import { FRAME, framesOf, isAddressed, PING, PING_OF_WORKERS } from '../frames/frames.js';
import { callsOf, isOwnInbox, readCallSubject } from '../senders.js';
import { encode } from '../wire.js';

const PINGS: Readonly<Record<ProcessRole, readonly string[]>> = {
  all: [PING, PING_OF_WORKERS],
  api: [PING],
  worker: [PING_OF_WORKERS],
};

function namesServed(endpoints: readonly Endpoint[], role: ProcessRole): string[] | undefined {
  const own = endpoints.filter((endpoint) => isServedBy(role, endpoint));
  if (own.length === endpoints.length) return undefined;
  const together = own.some(({ onWorkers }) => !onWorkers) ? [FRAME] : [];
  return [...own.map(({ name }) => name), ...together];
}

/**
 * Subscribes to calls that any process of the service and role serves, and to those addressed to this process. A
 * discovery ping is answered with the id of the process (docs/decisions/118), or, when it has a body, with all that the
 * process knows about itself.
 */
export function subscribeToCalls(
  nats: NatsConnection,
  endpoints: readonly Endpoint[],
  role: ProcessRole,
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
    if (!isOwnInbox(readCallSubject(message.subject).sender, message.reply)) return;
    const wanted = message.data.length > 0;
    message.respond(encode(wanted ? JSON.stringify(processReport(id)) : id));
  };
  const serve = (message: Msg): void => {
    if (!isAddressed(message)) receive(message);
  };
  const ofContract = (contract: string): Subscription[] => {
    const names = namesServed(
      endpoints.filter((each) => each.contract === contract),
      role,
    );
    if (names?.length === 0) return [];
    return [
      ...(names ?? [undefined]).map((name) => subscribe(callsOf(contract, name), serve, { queue })),
      subscribe(callsOf(contract, framesOf(id)), receive),
      ...PINGS[role].map((ping) => subscribe(callsOf(contract, ping), report)),
    ];
  };
  return [...new Set(endpoints.map(({ contract }) => contract))].flatMap(ofContract);
}
