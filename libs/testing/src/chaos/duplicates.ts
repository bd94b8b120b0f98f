import { AUDIT_STREAM, EventStream, STREAM } from '@signalbox/bus';
import { headers } from '@nats-io/transport-node';
import type { Platform } from '../platform/platform.js';

export interface Stored {
  subject: string;
  id: string;
  data: Uint8Array;
}

export async function storedMessages(platform: Platform): Promise<Stored[]> {
  const { streams } = await new EventStream(platform.connection).jsm();
  const { state } = await streams.info(STREAM);
  const stored: Stored[] = [];
  for (let seq = state.first_seq; seq > 0 && seq <= state.last_seq; seq++) {
    const message = await streams.getMessage(STREAM, { seq });
    if (message) stored.push({ subject: message.subject, id: message.header.get('Nats-Msg-Id'), data: message.data });
  }
  return stored;
}

/** From the outboxes, because an entry leaves its stream when it is consumed. */
async function sentAudits(platform: Platform): Promise<Stored[]> {
  const schemas = await platform.sql.query<{ name: string }>(
    `SELECT quote_ident(table_schema) AS name FROM information_schema.tables WHERE table_name = 'outbox'`,
  );
  const found = await Promise.all(
    schemas.rows.map(({ name }) =>
      platform.sql.query<{ subject: string; id: string; payload: string }>(
        `SELECT subject, message_id AS id, payload FROM ${name}.outbox
         WHERE sent_at IS NOT NULL AND subject LIKE 'audit.%'`,
      ),
    ),
  );
  return found.flatMap(({ rows }) =>
    rows.map(({ subject, id, payload }) => ({ subject, id, data: Buffer.from(payload) })),
  );
}

/**
 * Publishes every stored event and every sent audit entry `times` more, in random order, under its own message id.
 * Consumers must not rely on the duplicate window of the bus, so it is shortened first.
 */
export async function repeatMessages(platform: Platform, times: number, random: () => number): Promise<number> {
  const stream = new EventStream(platform.connection);
  const { streams } = await stream.jsm();
  for (const each of [STREAM, AUDIT_STREAM]) await streams.update(each, { duplicate_window: 100_000_000 });
  const known = [...(await storedMessages(platform)), ...(await sentAudits(platform))];
  const all = known.flatMap((message) => Array<Stored>(times).fill(message));
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [all[at], all[other]] = [all[other] as Stored, all[at] as Stored];
  }
  for (const { subject, id, data } of all) {
    const head = headers();
    head.set('Nats-Msg-Id', id);
    await stream.js.publish(subject, data, { headers: head });
  }
  const { state } = await streams.info(STREAM);
  return state.messages;
}
