import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, StatementTimeout } from '@signalbox/contracts';
import { consumed, type InboxMessage, type InboxStore, type Logger } from '@signalbox/platform';
import { logged, tracedBatch } from './consumer-span.js';
import type { ConsumedEvent, Delivery } from './consumed-messages.js';
import { HeldEvents } from './held-events.js';
import { type MessageSelector, selectMessages } from './message-selection.js';
import { ReturnedEvents } from './returned-events.js';
import { EndsProcesses, isSuspected, separateSuspected, type SuspectedEvents } from './suspected-events.js';
import { isOutage } from '../work/work-kind.js';

/**
 * Applies events of one company that were not consumed before, in the transaction that records them. `begins` reports
 * each event that is applied individually, so that a failure counts for it alone.
 */
export type Effect = (
  events: { payload: unknown; about: InboxMessage }[],
  tx: unknown,
  begins: (about: InboxMessage) => void,
  prepared?: unknown,
) => Promise<void>;

export type Preparation = (events: { payload: unknown; about: InboxMessage }[]) => Promise<unknown>;

export interface ApplicationOptions {
  consumer: string;
  backoffMs: readonly number[];
  deduplicate: boolean;
  filter: MessageSelector | undefined;
  before: Preparation | undefined;
}

interface Failure {
  error: unknown;
  event: ConsumedEvent | null;
}

const MAX_FAILURES = 5;
/** A message delivered more often becomes a dead letter at its first failure: it may have failed in other processes. */
const MAX_DELIVERIES = 20;
const OUTAGE_PAUSE_MS = 1000;
/** Failed events that a batch is retried without; with more it is split. */
const MAX_EXCLUDED = 3;
/** Events per transaction: one fetch may contain many thousands. */
const MAX_TOGETHER = 1000;
const PARALLEL = 3;
/** Events per transaction of a company at its limit of held events. */
const MAX_TOGETHER_OF_FULL = 20;
/** Suspected events of a fetch, which the next fetch of all companies waits for; the others return to the stream. */
const MAX_ALONE = 20;
/** Minimum pause of an event that returns to its stream. */
const RETURN_MS = 1000;
/** Added to the pause for each returned event of the company, which limits redelivery to 500 a second. */
const RETURN_MS_PER_EVENT = 2;
/** Above this a failing event becomes a dead letter. */
const MAX_RETURNED_OF_COMPANY = 10_000;
/** Events waiting for the end of an outage above which nothing is fetched. One company does not reach it. */
const MAX_WAITING_FOR_OUTAGE = 300;

/**
 * Applies the events of a company in few transactions. When one fails without naming an event, its halves are retried,
 * so a bad event among n costs about 2·log n transactions. An event that fails alone is held in this process until its
 * next attempt, and later events of its resource wait behind it. Events of a company that holds enough return to the
 * stream for the pause, so they do not delay other companies. During an outage the whole transaction is repeated. The
 * order of a resource is thus that of one process: where several consume, or a dead letter is replayed, an effect
 * compares the version or time of the event with what is stored.
 */
export class EventApplication {
  private readonly held = new HeldEvents();
  private readonly returned = new ReturnedEvents();
  private waitingForOutage = 0;
  private readonly stopping = new AbortController();

  constructor(
    private readonly inbox: InboxStore,
    private readonly suspected: SuspectedEvents,
    private readonly effect: Effect,
    private readonly options: ApplicationOptions,
    private readonly logger: Logger,
  ) {}

  get isSuspended(): boolean {
    return this.waitingForOutage >= MAX_WAITING_FOR_OUTAGE;
  }

  /** Resolves when each event is applied, a dead letter, waiting or returned to the stream. */
  async apply(deliveries: readonly Delivery[]): Promise<void> {
    this.returned.sweep();
    const { filter, consumer } = this.options;
    const selected = filter ? await selectMessages(deliveries, filter, { consumer, logger: this.logger }) : deliveries;
    const [together, alone] = separateSuspected(await this.readable(selected));
    await this.applyTogether(together);
    // After all others: one of them may end this process.
    for (const [at, event] of alone.entries())
      if (at >= MAX_ALONE || this.held.isFull(event.about.companyId)) this.returnToStream(event);
      else await this.applyGroup([event]);
  }

  /** Waiting events are left to the next delivery. */
  stop(): void {
    this.stopping.abort();
    this.held.stop();
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async readable(deliveries: readonly Delivery[]): Promise<ConsumedEvent[]> {
    const readable: ConsumedEvent[] = [];
    for (const { events } of deliveries)
      for (const event of events) {
        const cause = unreadable(event);
        if (cause) await this.rejectUnreadable(event, cause);
        else readable.push(event);
      }
    for (const event of readable) this.returned.recall(event);
    return readable;
  }

  private async applyTogether(events: readonly ConsumedEvent[]): Promise<void> {
    const groups = new Map<number, ConsumedEvent[]>();
    for (const event of events) {
      const { companyId } = event.about;
      if (groups.has(companyId)) groups.get(companyId)?.push(event);
      else groups.set(companyId, [event]);
    }
    const left = [...groups.values()];
    const worker = async (): Promise<void> => {
      for (let group = left.shift(); group; group = left.shift())
        for (let at = 0; at < group.length; at += MAX_TOGETHER)
          await this.applyGroup(group.slice(at, at + MAX_TOGETHER));
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
  }

  private async rejectUnreadable(event: ConsumedEvent, cause: Error): Promise<void> {
    if (await this.deadLetter(event, cause)) await this.release(event);
    else await this.failed(event, new ApiError('unavailable', cause.message));
  }

  private async applyGroup(events: ConsumedEvent[], excludedCount = 0): Promise<void> {
    const ready = this.ready(events);
    if (ready.length === 0 || this.stopped) return;
    const failure = await this.attemptThroughOutages(ready);
    if (failure === null) return;
    const failedEvent = ready.length === 1 ? ready[0] : failure.event;
    if (failedEvent) await this.failed(failedEvent, failure.error);
    const rest = ready.filter((event) => event !== failedEvent);
    if (failedEvent && excludedCount < MAX_EXCLUDED) return this.applyGroup(rest, excludedCount + 1);
    const middle = Math.ceil(rest.length / 2);
    for (const half of [rest.slice(0, middle), rest.slice(middle)]) await this.applyGroup(half);
  }

  /** The others wait behind earlier ones of their resource, or return to the stream. */
  private ready(events: ConsumedEvent[]): ConsumedEvent[] {
    const companyId = events[0]?.about.companyId ?? NaN;
    let left = this.held.isFull(companyId) ? MAX_TOGETHER_OF_FULL : Infinity;
    return events.filter((event) => {
      const isBehind = this.held.isBehind(event);
      if (this.returned.isBehind(event) || !(isBehind ? this.held.hasRoom(companyId) : left > 0)) {
        this.returnToStream(event);
        return false;
      }
      this.returned.remove(event);
      if (isBehind) this.held.queue(event);
      else left--;
      return !isBehind;
    });
  }

  private returnToStream(event: ConsumedEvent, pauseMs = RETURN_MS): void {
    const returned = this.returned.countOf(event.about.companyId);
    this.returned.add(event, Math.max(pauseMs, RETURN_MS, returned * RETURN_MS_PER_EVENT));
    consumed.inc({ consumer: event.about.consumer, outcome: 'returned' });
  }

  /** Splitting would multiply failures while the database is down; what is too much for one statement is split. */
  private async attemptThroughOutages(events: ConsumedEvent[]): Promise<Failure | null> {
    for (;;) {
      const failure = await this.attempt(events);
      if (failure === null || failure.event !== null || events.length === 1 || !isOutage(failure.error)) return failure;
      this.logger.warn({ error: failure.error, events: events.length }, 'events could not be consumed');
      await pause(OUTAGE_PAUSE_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopped) return null;
    }
  }

  private async attempt(events: ConsumedEvent[]): Promise<Failure | null> {
    const [first] = events;
    if (!first || events.length > 1 || !isSuspected(first)) return this.attemptTogether(events);
    try {
      return await this.suspected.alone(first, () => this.attemptTogether(events));
    } catch (error) {
      return { error, event: first };
    }
  }

  private async attemptTogether(events: ConsumedEvent[]): Promise<Failure | null> {
    const messages = events.map(({ about }) => about);
    let current: InboxMessage | undefined;
    try {
      const fresh = await tracedBatch(events, async () => {
        const prepared = await this.options.before?.(events);
        return this.inbox.once(
          messages,
          (tx, fresh) => this.effect(ofMessages(fresh, events), tx, (about) => (current = about), prepared),
          this.options,
        );
      });
      const [first] = events;
      if (first) {
        const { consumer } = first.about;
        consumed.inc({ consumer, outcome: 'done' }, fresh);
        consumed.inc({ consumer, outcome: 'seen' }, events.length - fresh);
      }
      for (const { delivery } of events) delivery.finished();
      return null;
    } catch (error) {
      return { error, event: events.find(({ about }) => about === current) ?? null };
    }
  }

  /**
   * Schedules another attempt, or a dead letter after the last. An outage does not count, nor does a slow statement: a dead
   * letter after a busy minute would need a manual replay.
   */
  private async failed(event: ConsumedEvent, error: unknown): Promise<void> {
    const isTemporary = isOutage(error) || error instanceof StatementTimeout;
    if (!isTemporary) event.failures++;
    const isLast = error instanceof EndsProcesses || this.isLast(event);
    if (!isTemporary && isLast && (await this.deadLetter(event, error))) return this.release(event);
    consumed.inc({ consumer: event.about.consumer, outcome: 'retry' });
    this.logger.warn({ error, ...logged(event), failures: event.failures }, 'event could not be consumed');
    const { backoffMs } = this.options;
    const pauseMs = isTemporary ? OUTAGE_PAUSE_MS : (backoffMs[event.failures - 1] ?? backoffMs.at(-1) ?? 0);
    if (!this.held.isFirst(event) && !this.held.hasRoom(event.about.companyId))
      return this.returnToStream(event, pauseMs);
    // A slow statement delays its company, an outage all.
    const isDown = isOutage(error);
    if (isDown) this.waitingForOutage++;
    this.held.hold(event, pauseMs, () => {
      if (isDown) this.waitingForOutage--;
      void this.retry(event);
    });
  }

  private isLast({ failures, returns, about, delivery }: ConsumedEvent): boolean {
    return (
      failures >= MAX_FAILURES ||
      delivery.message.info.deliveryCount - returns > MAX_DELIVERIES ||
      this.returned.countOf(about.companyId) >= MAX_RETURNED_OF_COMPANY
    );
  }

  private async retry(event: ConsumedEvent): Promise<void> {
    if (this.stopped) return;
    const cause = unreadable(event);
    if (cause) return this.rejectUnreadable(event, cause);
    const failure = await this.attempt([event]);
    if (failure === null) await this.release(event);
    else await this.failed(event, failure.error);
  }

  /** Applies the events held behind one that is done; those that arrive meanwhile are queued behind them. */
  private async release(event: ConsumedEvent): Promise<void> {
    let next = nextOf(this.held.releaseFollowing([event]));
    while (next.length > 0 && !this.stopped) {
      const failure = await this.attemptThroughOutages(next);
      if (failure === null) next = nextOf(this.held.releaseFollowing(next));
      else if (next.length > 1) next = next.slice(0, Math.ceil(next.length / 2));
      else return this.failed(next[0]!, failure.error);
    }
  }

  /** False when writing it failed. Does not rely on a JetStream advisory. */
  private async deadLetter(event: ConsumedEvent, error: unknown): Promise<boolean> {
    const { about, text } = event;
    try {
      await this.inbox.deadLetter(about, text, error instanceof Error ? error.message : String(error));
    } catch (failure) {
      this.logger.warn({ error: failure, ...logged(event) }, 'dead letter could not be written');
      return false;
    }
    this.logger.error({ error, ...logged(event) }, 'message became a dead letter');
    consumed.inc({ consumer: about.consumer, outcome: 'dead_letter' });
    event.delivery.finished();
    return true;
  }
}

function ofMessages(messages: readonly InboxMessage[], events: ConsumedEvent[]): ConsumedEvent[] {
  if (messages.length === events.length) return events;
  const wanted = new Set(messages);
  return events.filter(({ about }) => wanted.has(about));
}

/** Of events in order those that are applied next: a suspected one alone. */
function nextOf(events: ConsumedEvent[]): ConsumedEvent[] {
  const suspected = events.findIndex(isSuspected);
  return events.slice(0, suspected < 0 ? MAX_TOGETHER : Math.min(Math.max(suspected, 1), MAX_TOGETHER));
}

function unreadable({ about, payload }: ConsumedEvent): Error | null {
  if (!Number.isInteger(about.companyId) || about.companyId < 1) return new Error('the subject names no company');
  return payload instanceof Error ? payload : null;
}
