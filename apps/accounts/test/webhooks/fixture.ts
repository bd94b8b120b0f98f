import { createHmac, randomUUID } from 'node:crypto';
import { EventStream, STREAM } from '@signalbox/bus';
import {
  apiKeys,
  type Caller,
  type NewWebhook,
  type WebhookDelivery,
  webhookDeliveries,
  webhooks,
} from '@signalbox/contracts';
import { eventually, type HttpTarget, Platform, startHttpTarget, type TargetCall } from '@signalbox/testing';

export let platform: Platform;
export let target: HttpTarget;
beforeAll(async () => {
  target = await startHttpTarget();
  // What a killed process had claimed is due again soon.
  const env = { EGRESS_ALLOW: `127.0.0.1:${target.port}`, WORK_LEASE_SECONDS: '5' };
  platform = await Platform.start({ services: ['accounts'], env });
}, 60_000);
afterAll(async () => {
  await platform.stop();
  await target.close();
});
beforeEach(() => target.answerWith(() => ({})));

export const { endpoints: hooks } = webhooks;
export const { endpoints: log } = webhookDeliveries;

/** A caller of a new company, all of whose events so far are consumed: webhooks created from now on miss them. */
export async function callerOf(): Promise<Caller> {
  const { companyId } = await platform.company();
  await eventually('the events are consumed', async () => {
    const { rows } = await platform.sql.query(`SELECT 1 FROM accounts.outbox WHERE sent_at IS NULL`);
    const { consumers } = await new EventStream(platform.connection).jsm();
    const { num_pending, num_ack_pending } = await consumers.info(STREAM, 'accounts-webhooks');
    return rows.length + num_pending + num_ack_pending === 0;
  });
  return platform.caller(companyId);
}

/** A path of the target that only one test uses. */
export const newPath = (): string => `/${randomUUID()}`;

export const subscribe = (caller: Caller, path: string, events: string[] = ['*']): Promise<NewWebhook> =>
  platform.bus.call(hooks.createWebhook, { url: target.url + path, events, enabled: true }, caller);

export const makeKey = (caller: Caller, name: string) =>
  platform.bus.call(apiKeys.endpoints.createApiKey, { name, scopes: ['read'] }, caller);

export const callsTo = (path: string): TargetCall[] => target.calls.filter((call) => call.path === path);
export const arrived = (path: string, count: number): Promise<TargetCall[]> =>
  eventually(`${count} calls to ${path}`, () => (callsTo(path).length >= count ? callsTo(path) : undefined));

export const deliveriesOf = async (caller: Caller, webhook_id: number, status?: WebhookDelivery['status']) => {
  const page = await platform.bus.call(
    log.listDeliveries,
    { webhook_id, offset: 0, limit: 100, sort: 'id', ...(status ? { status: [status] } : {}) },
    caller,
  );
  return page.data;
};

/** Makes everything that waits for its next attempt due. */
export const hurryJobs = () =>
  platform.sql.query(`UPDATE accounts.work SET due_at = now() WHERE done_at IS NULL AND lease_owner IS NULL`);
export const hurry = async (): Promise<void> => {
  await platform.sql.query(`UPDATE accounts.webhook_deliveries SET next_attempt_at = 0 WHERE status = 'PENDING'`);
  await hurryJobs();
};

export const hmac = (secret: string | null, text: string): string =>
  createHmac('sha256', secret ?? '')
    .update(text)
    .digest('hex');
