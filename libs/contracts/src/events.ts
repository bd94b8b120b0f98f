import type { Class } from './fields/field-types.js';

/** One kind of lifecycle event: the resource it is about, the data it carries, and a sentence for subscribers. */
export interface EventDeclaration {
  resource: string;
  data: Class;
  description: string;
}

export interface Events<D extends Record<string, EventDeclaration> = Record<string, EventDeclaration>> {
  service: string;
  declared: D;
}

/** Declares the lifecycle events a service publishes on `events.<company_id>.<event>`. */
export function defineEvents<const D extends Record<string, EventDeclaration>>(
  service: string,
  declared: D,
): Events<D> {
  return { service, declared };
}

export type EventName<E extends Events> = keyof E['declared'] & string;

/** The data of each event of a declaration, by name. */
export type PayloadsOf<E extends Events> = { [N in EventName<E>]: InstanceType<E['declared'][N]['data']> };

/** A lifecycle event to be written to the outbox. */
export interface Emission {
  event: string;
  resource: { type: string; id: number | string };
  data: object;
}

/** An event of the declared kind; a wrong name or wrong data does not compile. */
export function emission<D extends Record<string, EventDeclaration>, N extends keyof D & string>(
  events: Events<D>,
  event: N,
  id: number | string,
  data: InstanceType<D[N]['data']>,
): Emission {
  return { event, resource: { type: events.declared[event]?.resource ?? '', id }, data };
}

/** The envelope of a lifecycle event on the bus and in webhooks (docs/api/events.md). */
export interface EventEnvelope<T = Record<string, unknown>> {
  event_id: string;
  event: string;
  company_id: number;
  occurred_at: number;
  resource: { type: string; id: number | string };
  data: T;
}

/** A durable consumer of a stream: its name, the subjects it receives, and what each message carries. */
export interface Consumption<Payload = unknown> {
  /** Durable name; two consumers of one service never share one. */
  durable: string;
  /** Subject pattern on a stream of the bus. */
  filter: string;
  /** The declaration that the event comes from; absent for what is no lifecycle event. */
  events?: Events;
  /** The fields of the data that the consumer receives; absent for all of them. */
  fields?: readonly string[];
  /** Type only. */
  readonly payload?: Payload;
}

/**
 * Declares a consumer of an event; an event that is not declared does not compile. One that reads many events names the
 * few fields of their data that it reads: putting an event together costs more than the rest of its way.
 */
export function consumption<D extends Record<string, EventDeclaration>, N extends keyof D & string>(
  events: Events<D>,
  event: N,
  durable: string,
): Consumption<EventEnvelope<InstanceType<D[N]['data']>>>;
export function consumption<
  D extends Record<string, EventDeclaration>,
  N extends keyof D & string,
  F extends keyof InstanceType<D[N]['data']> & string,
>(
  events: Events<D>,
  event: N,
  durable: string,
  fields: readonly F[],
): Consumption<EventEnvelope<Pick<InstanceType<D[N]['data']>, F>>>;
export function consumption(events: Events, event: string, durable: string, fields?: readonly string[]): Consumption {
  return { durable, filter: eventSubject('*', event), events, ...(fields ? { fields } : {}) };
}

/** Bus subject of an event. */
export const eventSubject = (companyId: number | '*', event: string): string => `events.${companyId}.${event}`;
