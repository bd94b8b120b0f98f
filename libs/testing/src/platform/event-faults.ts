import { eventsOfMessage } from '@signalbox/bus';
import { ApiError, type Class, EVENTS, type EventEnvelope, parse } from '@signalbox/contracts';
import type { Pool } from 'pg';

/** Per schema, newest first. */
const MAX_ROWS = 5000;

const declared = new Map(EVENTS.flatMap((events) => Object.entries(events.declared)));

function dataFaults(event: string, cls: Class, data: unknown): string[] {
  try {
    parse(cls, data, 'data');
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return (error.extras.details ?? []).map(({ field, message }) => `${event}: ${field} ${message}`);
  }
}

function faultsOf({ event, resource, data }: EventEnvelope): string[] {
  const declaration = declared.get(event);
  if (!declaration) return [`${event}: is not declared`];
  const wrongType = resource.type === declaration.resource ? [] : [`${event}: its resource is a ${resource.type}`];
  // Data too large for a message is replaced by a mark.
  if (JSON.stringify(data).includes('[omitted: ')) return wrongType;
  return [...wrongType, ...dataFaults(event, declaration.data, data)];
}

/** Lifecycle events in the outboxes whose payload differs from their declaration; each kind once. */
export async function eventFaults(sql: Pool): Promise<string[]> {
  const { rows: schemas } = await sql.query<{ name: string }>(
    `SELECT quote_ident(schemaname) AS name FROM pg_tables WHERE tablename = 'outbox'`,
  );
  const faults = new Set<string>();
  for (const { name } of schemas) {
    const { rows } = await sql.query<{ payload: unknown }>(
      `SELECT payload FROM ${name}.outbox WHERE subject LIKE 'events.%' ORDER BY id DESC LIMIT ${MAX_ROWS}`,
    );
    for (const { payload } of rows) {
      const value: unknown = typeof payload === 'string' ? JSON.parse(payload) : payload;
      for (const envelope of eventsOfMessage(value) ?? [value as EventEnvelope])
        faultsOf(envelope).forEach((fault) => faults.add(fault));
    }
  }
  return [...faults];
}
