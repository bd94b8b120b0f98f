import type { EventEnvelope } from '@signalbox/contracts';

type Fields = Record<string, unknown>;

/**
 * Several events in one message of the bus: what all of them have in common, and the other fields of each. An event is
 * the common part overlaid with its own; `resource` and `data` are overlaid field by field.
 */
export interface SharedEvents {
  shared: Omit<EventEnvelope, 'event_id' | 'resource'> & { resource: { type: string } };
  events: { event_id: string; resource: { id: number | string }; data: Fields }[];
}

const isShared = (payload: unknown): payload is SharedEvents =>
  typeof payload === 'object' && payload !== null && 'shared' in payload && 'events' in payload;

/** The events of a message of the bus; null when it is not one of several events. */
export function eventsOfMessage(payload: unknown): EventEnvelope[] | null {
  // The form of earlier releases, which streams and outboxes may still contain.
  if (Array.isArray(payload)) return payload.length > 0 ? (payload as EventEnvelope[]) : null;
  if (!isShared(payload)) return null;
  const { shared, events } = payload;
  return events.map((own) => ({
    ...shared,
    ...own,
    resource: { ...shared.resource, ...own.resource },
    data: { ...shared.data, ...own.data },
  }));
}

/** The same with the given fields of their data alone, which is a fraction of the work. */
export function eventsWithFields(payload: unknown, fields: readonly string[]): EventEnvelope[] | null {
  if (!isShared(payload)) return eventsOfMessage(payload)?.map((event) => withFields(event, fields)) ?? null;
  const { shared, events } = payload;
  const { type } = shared.resource;
  return events.map(({ event_id, resource, data }) => ({
    event_id,
    event: shared.event,
    company_id: shared.company_id,
    occurred_at: shared.occurred_at,
    resource: { type, id: resource.id },
    data: picked(fields, data, shared.data),
  }));
}

/** An event with the given fields of its data. */
export const withFields = (event: EventEnvelope, fields: readonly string[]): EventEnvelope => ({
  ...event,
  data: picked(fields, event.data),
});

/** Fields of an object, or of another one where it lacks them. */
function picked(fields: readonly string[], own: Fields, common: Fields = own): Fields {
  const data: Fields = {};
  for (const field of fields) data[field] = field in own ? own[field] : common[field];
  return data;
}
