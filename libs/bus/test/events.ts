import { EventStream, STREAM } from '@signalbox/bus';
import { apiKeys, auditLog } from '@signalbox/contracts';
import type { Platform } from '@signalbox/testing';

/** Creates keys of a company; returns the ids of the acknowledged ones. */
export async function makeKeys(platform: Platform, companyId: number, count: number): Promise<number[]> {
  const made = await Promise.allSettled(
    Array.from({ length: count }, (_, at) =>
      platform.bus.call(
        apiKeys.endpoints.createApiKey,
        { name: `key ${at}`, scopes: ['read'] },
        platform.caller(companyId),
      ),
    ),
  );
  return made.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []));
}

/** The audit entries about creations of a company, by resource id. */
export async function audited(platform: Platform, companyId: number): Promise<number[]> {
  const { rows } = await platform.sql.query<{ resource_id: string }>(
    `SELECT resource_id FROM accounts.audit_log WHERE company_id = $1 AND action = 'create' AND resource_type = 'api_key' ORDER BY resource_id::int`,
    [companyId],
  );
  return rows.map((row) => Number(row.resource_id));
}

/** The state of the audit log without the fields that differ between runs, for comparing. */
export async function auditState(platform: Platform): Promise<string> {
  const { rows } = await platform.sql.query<{ hash: string }>(
    `SELECT md5(string_agg(to_jsonb(t)::text, ',' ORDER BY company_id, message_id)) AS hash FROM accounts.audit_log t`,
  );
  return rows[0]?.hash ?? '';
}

/** Every message that the accounts service has sent, as stored in its outbox. */
export async function sentMessages(platform: Platform): Promise<{ subject: string; id: string; payload: string }[]> {
  const { rows } = await platform.sql.query<{ subject: string; id: string; payload: string }>(
    'SELECT subject, message_id AS id, payload FROM accounts.outbox WHERE sent_at IS NOT NULL ORDER BY id',
  );
  return rows;
}

/** Every event in the stream. */
export async function storedMessages(platform: Platform): Promise<{ subject: string; id: string; data: Uint8Array }[]> {
  const { streams } = await new EventStream(platform.connection).jsm();
  const { state } = await streams.info(STREAM);
  const stored = [];
  for (let seq = state.first_seq; seq > 0 && seq <= state.last_seq; seq++) {
    const message = await streams.getMessage(STREAM, { seq });
    if (message) stored.push({ subject: message.subject, id: message.header.get('Nats-Msg-Id'), data: message.data });
  }
  return stored;
}

/** Reads the first page of the audit log over the bus, as proof that the service serves. */
export const readAudit = (platform: Platform, companyId: number) =>
  platform.bus.call(
    auditLog.endpoints.listAuditEntries,
    { offset: 0, limit: 1, sort: '-id' },
    platform.caller(companyId),
  );
