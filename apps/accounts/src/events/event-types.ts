import { EVENTS, type EventType, fieldsOf } from '@signalbox/contracts';

export const EVENT_TYPES: readonly EventType[] = EVENTS.flatMap(({ declared }) =>
  Object.entries(declared).map(([event, { description, data }]) => ({
    event,
    description,
    data_fields: [...fieldsOf(data).keys()],
  })),
).sort((one, other) => (one.event < other.event ? -1 : 1));
