import { eventsOfMessage } from '@signalbox/bus';
import type { EventEnvelope } from '@signalbox/contracts';
import type { Platform } from './platform.js';

/** A company on a platform. */
interface Told {
  platform: Platform;
  companyId: number;
}

/** What an audit entry says of a change. */
export interface AuditedChange {
  action: string;
  before: unknown;
  after: unknown;
  reason?: string;
}

/** What a service has written for a company into a stream, in the order of its outbox. */
async function written<T>({ platform, companyId }: Told, service: string, stream: 'events' | 'audit'): Promise<T[]> {
  const { rows } = await platform.sql.query<{ payload: string }>(
    `SELECT payload FROM "${service}".outbox WHERE company_id = $1 AND subject LIKE $2 ORDER BY id`,
    [companyId, `${stream}.%`],
  );
  return rows.map(({ payload }) => JSON.parse(payload) as T);
}

/** The events of a service about one resource of a company; those of a bulk change share messages. */
export async function eventsAbout(company: Told, service: string, type: string, id: number): Promise<EventEnvelope[]> {
  const messages = await written<EventEnvelope>(company, service, 'events');
  return messages
    .flatMap((message) => eventsOfMessage(message) ?? [message])
    .filter(({ resource }) => resource.type === type && resource.id === id);
}

/** The audit entries of a service about one resource of a company. */
export async function auditsAbout(company: Told, service: string, type: string, id: number): Promise<AuditedChange[]> {
  const entries = await written<AuditedChange & { resource_type: string; resource_id: string }>(
    company,
    service,
    'audit',
  );
  return entries.filter(({ resource_type, resource_id }) => resource_type === type && resource_id === String(id));
}
