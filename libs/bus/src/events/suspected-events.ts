import type { InboxStore, Logger } from '@signalbox/platform';
import type { ConsumedEvent } from './consumed-messages.js';
import { logged } from './consumer-span.js';

/** An event delivered more often may have ended its processes. So may have another one of its batch. */
const MAX_DELIVERIES_TOGETHER = 5;
/** Attempts alone after which the process was gone: only what ends processes itself is alone in them each time. */
const MAX_LOST = 3;

/** The cause of the dead letter of an event whose effect ends its process. */
export class EndsProcesses extends Error {
  constructor() {
    super(`${MAX_LOST} processes ended while they applied this event alone: they were killed, or out of memory`);
  }
}

/** What other processes have returned to the stream counts as well: a suspicion costs a transaction, nothing else. */
export const isSuspected = ({ delivery, returns }: ConsumedEvent): boolean =>
  delivery.message.info.deliveryCount - returns > MAX_DELIVERIES_TOGETHER;

/** Separates suspected events, and later ones of their resources, from those that may share a transaction. */
export function separateSuspected(events: readonly ConsumedEvent[]): [ConsumedEvent[], ConsumedEvent[]] {
  const together: ConsumedEvent[] = [];
  const alone: ConsumedEvent[] = [];
  const resources = new Set<string>();
  for (const event of events) {
    if (isSuspected(event)) resources.add(event.resource);
    (resources.size > 0 && resources.has(event.resource) ? alone : together).push(event);
  }
  return [together, alone];
}

/**
 * Attempts of suspected events, one at a time in a process and for all of its consumers. Each is recorded before it
 * begins, and the record is deleted whatever its outcome: what is left tells of a process that ended meanwhile. How
 * often an event was delivered does not tell that, because events are also delivered again when a neighbour has ended
 * the process, when it was restarted, and when another process has returned them.
 */
export class SuspectedEvents {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly inbox: Pick<InboxStore, 'beginAlone' | 'endAlone'>,
    private readonly logger: Logger,
  ) {}

  alone<T>(event: ConsumedEvent, attempt: () => Promise<T>): Promise<T> {
    const turn = this.last.then(() => this.attempt(event, attempt));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  private async attempt<T>(event: ConsumedEvent, attempt: () => Promise<T>): Promise<T> {
    event.begun ??= await this.inbox.beginAlone(event.about, MAX_LOST);
    if (event.begun === null) throw new EndsProcesses();
    try {
      return await attempt();
    } finally {
      await this.end(event, event.begun);
    }
  }

  /** A record that could not be deleted serves the next attempt in this process. */
  private async end(event: ConsumedEvent, begun: string): Promise<void> {
    try {
      await this.inbox.endAlone(event.about, begun);
      event.begun = undefined;
    } catch (error) {
      this.logger.warn({ error, ...logged(event) }, 'the end of an attempt could not be recorded');
    }
  }
}
