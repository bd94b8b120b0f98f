import { type EventDeclaration, type Events, eventSubject, type JsonSchema } from '@signalbox/contracts';
import { SchemaComponents } from '@signalbox/openapi';

const ENVELOPE = 'EventEnvelope';

/** The fields of every event (docs/api/events.md); a message adds its own `event` and `data`. */
const envelope: JsonSchema = {
  type: 'object',
  description: 'The fields of every event. Delivery is at least once, in order per resource.',
  properties: {
    event_id: { type: 'string', format: 'uuid', description: 'Equal in every delivery of the same event.' },
    event: { type: 'string' },
    company_id: { type: 'integer' },
    occurred_at: { type: 'integer', description: 'Epoch milliseconds.' },
    resource: {
      type: 'object',
      properties: { type: { type: 'string' }, id: { type: ['integer', 'string'] } },
      required: ['type', 'id'],
    },
    data: { type: 'object', description: 'The record without large bodies. Never secrets.' },
  },
  required: ['event_id', 'event', 'company_id', 'occurred_at', 'resource', 'data'],
};

function message(name: string, declaration: EventDeclaration, schemas: SchemaComponents): JsonSchema {
  return {
    name,
    title: name,
    summary: declaration.description,
    contentType: 'application/json',
    payload: {
      allOf: [
        { $ref: `#/components/schemas/${ENVELOPE}` },
        {
          type: 'object',
          properties: {
            event: { type: 'string', const: name },
            resource: { type: 'object', properties: { type: { type: 'string', const: declaration.resource } } },
            data: schemas.ref(declaration.data),
          },
        },
      ],
    },
  };
}

/** Component keys may not contain dots. */
const keyOf = (event: string): string => event.replaceAll('.', '_');

function channel(name: string, event: EventDeclaration): JsonSchema {
  return {
    address: eventSubject('*', name).replace('*', '{company_id}'),
    title: name,
    description: event.description,
    parameters: { company_id: { $ref: '#/components/parameters/company_id' } },
    messages: { [keyOf(name)]: { $ref: `#/components/messages/${keyOf(name)}` } },
  };
}

/** The AsyncAPI 3.0 document of the lifecycle events of the given declarations: one channel and message per event. */
export function asyncApi(declarations: readonly Events[]): JsonSchema {
  const schemas = new SchemaComponents();
  schemas.schemas[ENVELOPE] = envelope;
  const declared = declarations.flatMap((events) =>
    Object.entries(events.declared).map(([name, event]) => ({ name, event, service: events.service })),
  );
  const byKey = <T>(make: (one: (typeof declared)[number]) => T): Record<string, T> =>
    Object.fromEntries(declared.map((one) => [keyOf(one.name), make(one)]));
  const messages = byKey(({ name, event }) => message(name, event, schemas));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Signalbox events',
      version: '1.0.0',
      description:
        'Lifecycle events of the resources of a company, on the bus and in webhooks. On the bus, events of one kind that ' +
        'were written together may share a message `{shared, events}`: each event is `shared` overlaid with itself, ' +
        '`resource` and `data` field by field.',
    },
    defaultContentType: 'application/json',
    servers: {
      bus: {
        host: '{host}:{port}',
        protocol: 'nats',
        variables: { host: { default: '127.0.0.1' }, port: { default: '4222' } },
      },
    },
    channels: byKey(({ name, event }) => channel(name, event)),
    operations: byKey(({ name, event, service }) => ({
      action: 'send',
      channel: { $ref: `#/channels/${keyOf(name)}` },
      summary: event.description,
      tags: [{ name: service }],
      messages: [{ $ref: `#/channels/${keyOf(name)}/messages/${keyOf(name)}` }],
    })),
    components: {
      schemas: schemas.schemas,
      messages,
      parameters: { company_id: { description: 'The company whose resource the event is about.' } },
    },
  };
}
