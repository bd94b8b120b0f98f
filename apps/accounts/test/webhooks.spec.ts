import { createHmac, randomUUID } from 'node:crypto';
import { EventStream, STREAM } from '@signalbox/bus';
import {
  apiKeys,
  auditLog,
  type Caller,
  deadLettersOf,
  type NewWebhook,
  operator,
  type WebhookDelivery,
  webhookDeliveries,
  webhooks,
} from '@signalbox/contracts';
import {
  CanarySearch,
  encodingsOf,
  eventually,
  type HttpTarget,
  Platform,
  startHttpTarget,
  type TargetCall,
} from '@signalbox/testing';

let platform: Platform;
let target: HttpTarget;
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

const { endpoints: hooks } = webhooks;
const { endpoints: log } = webhookDeliveries;

/** A caller of a new company, all of whose events so far are consumed: webhooks created from now on miss them. */
async function callerOf(): Promise<Caller> {
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
const newPath = (): string => `/${randomUUID()}`;

const subscribe = (caller: Caller, path: string, events: string[] = ['*']): Promise<NewWebhook> =>
  platform.bus.call(hooks.createWebhook, { url: target.url + path, events, enabled: true }, caller);

const makeKey = (caller: Caller, name: string) =>
  platform.bus.call(apiKeys.endpoints.createApiKey, { name, scopes: ['read'] }, caller);

const callsTo = (path: string): TargetCall[] => target.calls.filter((call) => call.path === path);
const arrived = (path: string, count: number): Promise<TargetCall[]> =>
  eventually(`${count} calls to ${path}`, () => (callsTo(path).length >= count ? callsTo(path) : undefined));

const deliveriesOf = async (caller: Caller, webhook_id: number, status?: WebhookDelivery['status']) => {
  const page = await platform.bus.call(
    log.listDeliveries,
    { webhook_id, offset: 0, limit: 100, sort: 'id', ...(status ? { status: [status] } : {}) },
    caller,
  );
  return page.data;
};

/** Makes everything that waits for its next attempt due. */
const hurryJobs = () =>
  platform.sql.query(`UPDATE accounts.work SET due_at = now() WHERE done_at IS NULL AND lease_owner IS NULL`);
const hurry = async (): Promise<void> => {
  await platform.sql.query(`UPDATE accounts.webhook_deliveries SET next_attempt_at = 0 WHERE status = 'PENDING'`);
  await hurryJobs();
};

const hmac = (secret: string | null, text: string): string =>
  createHmac('sha256', secret ?? '')
    .update(text)
    .digest('hex');

describe('a webhook', () => {
  it('receives the events it subscribes to, signed, each once, and the log shows them', async () => {
    const caller = await callerOf();
    const path = newPath();
    const hook = await subscribe(caller, path, ['api_key.created']);
    expect(hook.secret).toMatch(/^whs_[0-9A-Za-z]{40}$/);
    const key = await makeKey(caller, 'first');
    await platform.bus.call(apiKeys.endpoints.revokeApiKey, { api_key_id: key.id }, caller);
    await makeKey(caller, 'second');
    // Events of different keys are delivered in any order.
    const call = (await arrived(path, 2)).find(({ body }) => body.includes('"first"'));
    const text = call!.body.toString();
    const event = JSON.parse(text) as { event_id: string };
    expect(event).toMatchObject({
      event: 'api_key.created',
      company_id: caller.companyId,
      resource: { type: 'api_key', id: key.id },
      data: { name: 'first', last4: expect.any(String) },
    });
    const [, seconds, signature] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(call!.headers['x-service-signature'])) ?? [];
    expect(signature).toBe(hmac(hook.secret, `${seconds}.${text}`));
    expect(Math.abs(Date.now() / 1000 - Number(seconds))).toBeLessThan(60);
    const done = await eventually('both are logged', async () => {
      const found = await deliveriesOf(caller, hook.id, 'SUCCEEDED');
      return found.length === 2 ? found : undefined;
    });
    expect(done[0]).toMatchObject({
      event_id: event.event_id,
      event: 'api_key.created',
      attempt_count: 1,
      last_status_code: 200,
      response_excerpt: '{"ok":true}',
      next_attempt_at: null,
      request_body: event,
    });
    expect(call!.headers).toMatchObject({
      'x-service-event': 'api_key.created',
      'x-service-delivery': String(done[0]?.id),
      'content-type': 'application/json',
    });
    expect(callsTo(path)).toHaveLength(2);
    const read = await platform.bus.call(hooks.getWebhook, { webhook_id: hook.id }, caller);
    expect(read).toMatchObject({ secret_last4: hook.secret?.slice(-4), last_delivery_at: expect.any(Number) });
    expect(read).not.toHaveProperty('secret');
  });

  it('receives no event of another company, and another company none of its', async () => {
    const [caller, other] = [await callerOf(), await callerOf()];
    const path = newPath();
    const hook = await subscribe(caller, path);
    await makeKey(other, 'theirs');
    await makeKey(caller, 'mine');
    const [call] = await arrived(path, 1);
    expect(JSON.parse(call!.body.toString())).toMatchObject({ company_id: caller.companyId });
    await expect(platform.bus.call(hooks.getWebhook, { webhook_id: hook.id }, other)).rejects.toMatchObject({
      status: 404,
      message: 'webhook not found',
    });
    await expect(deliveriesOf(other, hook.id)).rejects.toMatchObject({ status: 404 });
    const [delivery] = await deliveriesOf(caller, hook.id);
    const path_ = { webhook_id: hook.id, delivery_id: delivery!.id };
    await expect(platform.bus.call(log.getDelivery, path_, other)).rejects.toMatchObject({ status: 404 });
    await expect(platform.bus.call(log.replayDelivery, path_, other)).rejects.toMatchObject({ status: 404 });
    const second = await subscribe(caller, newPath(), ['api_key.rotated']);
    await expect(platform.bus.call(log.getDelivery, { ...path_, webhook_id: second.id }, caller)).rejects.toMatchObject(
      { status: 404, message: 'delivery not found' },
    );
  });

  it.each([
    ['http://127.0.0.1:9/', /is refused/],
    ['http://169.254.169.254/latest/meta-data', /is refused/],
    ['https://localhost/hook', /is refused/],
    ['https://user:pw@example.com/', /is refused/],
    ['ftp://example.com/', /is refused/],
    ['http://example.com/hook', /must be https/],
    ['no url', /is refused/],
  ])('refuses the target %s', async (url, message) => {
    const caller = await callerOf();
    const made = platform.bus.call(hooks.createWebhook, { url, events: ['*'], enabled: true }, caller);
    await expect(made).rejects.toMatchObject({ status: 400, extras: { details: [{ field: 'url' }] } });
    await expect(made).rejects.toThrow(message);
    const hook = await subscribe(caller, newPath());
    const changed = platform.bus.call(hooks.updateWebhook, { webhook_id: hook.id, url }, caller);
    await expect(changed).rejects.toThrow(message);
  });

  it('reaches no private address that its name resolves to or that is no longer allowed', async () => {
    const caller = await callerOf();
    await platform.bus.call(
      operator.endpoints.setEgressAllow,
      { company_id: caller.companyId, allow: ['127.0.0.2:8099'] },
      caller,
    );
    const url = 'http://127.0.0.2:8099/';
    const hook = await platform.bus.call(hooks.createWebhook, { url, events: ['*'], enabled: true }, caller);
    await platform.bus.call(operator.endpoints.setEgressAllow, { company_id: caller.companyId, allow: [] }, caller);
    await platform.bus.call(hooks.testWebhook, { webhook_id: hook.id }, caller);
    const [delivery] = await eventually('it is tried', async () => {
      const found = await deliveriesOf(caller, hook.id);
      return found[0]?.attempt_count === 1 ? found : undefined;
    });
    expect(delivery).toMatchObject({
      status: 'PENDING',
      last_status_code: null,
      last_error: 'this port may not be called',
    });
  });

  it('refuses unknown events and accepts names, families and all', async () => {
    const caller = await callerOf();
    await expect(subscribe(caller, newPath(), ['api_key.created', 'nothing.*', 'webhook.test'])).rejects.toMatchObject({
      status: 400,
      extras: { details: [{ field: 'events[1]' }, { field: 'events[2]' }] },
    });
    const path = newPath();
    const hook = await subscribe(caller, path, ['agent.*', 'api_key.*', 'api_key.*']);
    expect(hook.events).toEqual(['agent.*', 'api_key.*']);
    await makeKey(caller, 'any');
    await arrived(path, 1);
    const types = await platform.bus.call(hooks.listEventTypes, {}, caller);
    expect(types.find(({ event }) => event === 'api_key.created')).toEqual({
      event: 'api_key.created',
      description: 'An API key was created',
      data_fields: expect.arrayContaining(['id', 'name', 'scopes']),
    });
  });

  it('is one of a hundred at most, not counting deleted ones', async () => {
    const caller = platform.caller((await platform.company()).companyId);
    const { id } = await subscribe(caller, newPath());
    await platform.sql.query(
      `INSERT INTO accounts.webhooks (company_id, url, events, enabled, secret, secret_last4)
       SELECT company_id, url, events, enabled, secret, secret_last4 FROM accounts.webhooks, generate_series(1, 99)
       WHERE company_id = $1 AND id = $2`,
      [caller.companyId, id],
    );
    const full = { status: 409, message: 'there are at most 100 webhooks' };
    await expect(subscribe(caller, newPath())).rejects.toMatchObject(full);
    await platform.bus.call(hooks.deleteWebhook, { webhook_id: id }, caller);
    expect((await subscribe(caller, newPath())).enabled).toBe(true);
  });

  it('is retried after growing pauses, then FAILED, and a replay delivers the same event', async () => {
    const caller = await callerOf();
    const path = newPath();
    target.answerWith((call) => (call.path === path ? { status: 500, body: 'no\0' } : {}));
    const hook = await subscribe(caller, path, ['api_key.created']);
    await makeKey(caller, 'lost');
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 7; attempt++) {
      const [delivery] = await eventually(`attempt ${attempt}`, async () => {
        // The job is still leased for a moment after its attempt is recorded.
        await hurryJobs();
        const found = await deliveriesOf(caller, hook.id);
        return found[0]?.attempt_count === attempt ? found : undefined;
      });
      expect(delivery).toMatchObject({
        last_status_code: 500,
        last_error: 'the target returned status 500',
        response_excerpt: 'no',
      });
      if (attempt < 7) pauses.push(Math.round(((delivery?.next_attempt_at ?? 0) - Date.now()) / 1000));
      else expect(delivery).toMatchObject({ status: 'FAILED', next_attempt_at: null });
      await hurry();
    }
    const expected = [10, 60, 300, 1800, 7200, 21_600];
    pauses.forEach((pause, at) => expect(Math.abs(pause - (expected[at] ?? 0))).toBeLessThan(5));
    expect(new Set(callsTo(path).map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
    target.answerWith(() => ({ status: 204, body: '' }));
    const [failed] = await deliveriesOf(caller, hook.id);
    const replayed = await platform.bus.call(
      log.replayDelivery,
      { webhook_id: hook.id, delivery_id: failed!.id },
      caller,
    );
    expect(replayed).toMatchObject({ event_id: failed?.event_id, replay_of: failed?.id, status: 'PENDING' });
    const [, done] = await eventually('the replay arrives', async () => {
      const found = await deliveriesOf(caller, hook.id);
      return found[1]?.status === 'SUCCEEDED' ? found : undefined;
    });
    expect(done).toMatchObject({ id: replayed.id, last_status_code: 204, request_body: failed?.request_body });
  }, 60_000);

  it('does not follow redirects', async () => {
    const caller = await callerOf();
    const path = newPath();
    target.answerWith(() => ({ status: 307, headers: { location: `${target.url}/elsewhere` } }));
    const hook = await subscribe(caller, path);
    await platform.bus.call(hooks.testWebhook, { webhook_id: hook.id }, caller);
    const [delivery] = await eventually('it is tried', async () => {
      const found = await deliveriesOf(caller, hook.id);
      return found[0]?.attempt_count === 1 ? found : undefined;
    });
    expect(delivery).toMatchObject({ status: 'PENDING', last_status_code: 307, event: 'webhook.test' });
    expect(callsTo('/elsewhere')).toEqual([]);
  });

  it('signs with both secrets for a day after a rotation, and a test reaches a disabled webhook', async () => {
    const caller = await callerOf();
    const path = newPath();
    const hook = await subscribe(caller, path);
    const rotated = await platform.bus.call(hooks.rotateWebhookSecret, { webhook_id: hook.id }, caller);
    expect(rotated.secret).not.toBe(hook.secret);
    await platform.bus.call(hooks.updateWebhook, { webhook_id: hook.id, enabled: false }, caller);
    await platform.bus.call(hooks.testWebhook, { webhook_id: hook.id }, caller);
    const [call] = await arrived(path, 1);
    const header = String(call!.headers['x-service-signature']);
    const seconds = /t=(\d+)/.exec(header)?.[1];
    const text = `${seconds}.${call!.body.toString()}`;
    expect(header).toBe(`t=${seconds},v1=${hmac(rotated.secret, text)},v1=${hmac(hook.secret, text)}`);
    await platform.sql.query('UPDATE accounts.webhooks SET previous_until = 1 WHERE id = $1', [hook.id]);
    await platform.bus.call(hooks.testWebhook, { webhook_id: hook.id }, caller);
    const [, later] = await arrived(path, 2);
    expect(String(later!.headers['x-service-signature'])).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
    await eventually('the rotation is audited without the secret', async () => {
      const page = await platform.bus.call(
        auditLog.endpoints.listAuditEntries,
        { offset: 0, limit: 10, sort: 'id', resource_type: ['webhook'] },
        caller,
      );
      const actions = page.data.map(({ action }) => action);
      expect(JSON.stringify(page)).not.toContain('whs_');
      return actions.join() === 'create,secret_rotate,update';
    });
  });

  it('is disabled after fifty deliveries in a row have failed, and what waits then is not sent', async () => {
    const caller = await callerOf();
    const path = newPath();
    target.answerWith((call) => (call.path === path ? { status: 410 } : {}));
    const hook = await subscribe(caller, path, ['api_key.created']);
    await platform.sql.query('UPDATE accounts.webhooks SET failed_in_row = 49 WHERE id = $1', [hook.id]);
    await makeKey(caller, 'last');
    await makeKey(caller, 'waiting');
    await arrived(path, 2);
    await platform.sql.query(
      `UPDATE accounts.webhook_deliveries SET attempt_count = 6 WHERE id = (SELECT min(id) FROM accounts.webhook_deliveries WHERE webhook_id = $1)`,
      [hook.id],
    );
    await eventually('both have waited', async () =>
      (await deliveriesOf(caller, hook.id)).every(({ attempt_count }) => attempt_count > 0),
    );
    await eventually('it is disabled', async () => {
      await hurry();
      const { enabled, disabled_reason } = await platform.bus.call(hooks.getWebhook, { webhook_id: hook.id }, caller);
      return !enabled && disabled_reason === 'the last 50 deliveries failed';
    });
    const failed = await eventually('the other one ends', async () => {
      await hurry();
      const found = await deliveriesOf(caller, hook.id, 'FAILED');
      return found.length === 2 ? found : undefined;
    });
    expect(failed.map(({ last_error }) => last_error)).toContain('the webhook is disabled');
    const input = { webhook_id: hook.id, delivery_id: failed[0]!.id };
    await expect(platform.bus.call(log.replayDelivery, input, caller)).rejects.toMatchObject({
      status: 409,
      message: `webhook ${hook.id} is disabled`,
    });
    const enabled = await platform.bus.call(hooks.updateWebhook, { webhook_id: hook.id, enabled: true }, caller);
    expect(enabled).toMatchObject({ enabled: true, disabled_reason: null });
  });

  it('stores its secret sealed and is gone with its log when it is deleted', async () => {
    const caller = await callerOf();
    const hook = await subscribe(caller, newPath());
    const { rows } = await platform.sql.query<{ text: string }>(
      'SELECT encode(secret, $2) AS text FROM accounts.webhooks WHERE id = $1',
      [hook.id, 'escape'],
    );
    expect(rows[0]?.text).not.toContain(hook.secret);
    const deleted = await platform.bus.call(hooks.deleteWebhook, { webhook_id: hook.id }, caller);
    expect(deleted).toEqual({ id: hook.id, deleted: true });
    await expect(deliveriesOf(caller, hook.id)).rejects.toMatchObject({ status: 404 });
  });
});

describe('the secret of a webhook', () => {
  it('is stored, logged and sent nowhere, whatever happens to it', async () => {
    const caller = await callerOf();
    const path = newPath();
    const hook = await platform.bus.call(
      hooks.createWebhook,
      { url: target.url + path, events: ['*'], enabled: true },
      {
        ...caller,
        idempotency: { key: randomUUID(), route: 'POST /webhooks', bodyHash: 'x' },
      },
    );
    const rotated = await platform.bus.call(hooks.rotateWebhookSecret, { webhook_id: hook.id }, caller);
    await platform.bus.call(hooks.testWebhook, { webhook_id: hook.id }, caller);
    await arrived(path, 1);
    for (const secret of [hook.secret, rotated.secret]) {
      const search = new CanarySearch(encodingsOf(secret ?? ''));
      for (const { headers, body } of callsTo(path))
        search.text('calls', path, JSON.stringify(headers) + body.toString());
      await platform.sql.query('CHECKPOINT');
      await search.dump(platform.sql);
      await search.tree(platform.servers.dir);
      expect(search.matches).toEqual([]);
    }
    // The same search finds what is stored.
    const known = new CanarySearch(encodingsOf(path));
    await known.dump(platform.sql);
    await known.tree(platform.servers.dir);
    expect(new Set(known.matches.map(({ place }) => place)).size).toBeGreaterThan(1);
  }, 150_000);
});

describe('delivery', () => {
  it('to a webhook that never answers leaves slots of its company to another one', async () => {
    const caller = await callerOf();
    const [silent, other] = [newPath(), newPath()];
    target.answerWith(({ path }) => (path === silent ? { hang: true } : {}));
    await subscribe(caller, silent, ['api_key.created']);
    const hook = await subscribe(caller, other, ['api_key.created']);
    const count = 12;
    for (let n = 0; n < count; n++) await makeKey(caller, `key ${n}`);
    await eventually('the other one has all', async () => {
      return (await deliveriesOf(caller, hook.id, 'SUCCEEDED')).length === count;
    });
    expect(callsTo(silent).filter(({ status }) => status === null).length).toBeLessThanOrEqual(2);
  });

  it('happens once for an event that is consumed three times', async () => {
    const caller = await callerOf();
    const path = newPath();
    const hook = await subscribe(caller, path, ['api_key.created']);
    await makeKey(caller, 'repeated');
    await arrived(path, 1);
    const { rows } = await platform.sql.query<{ subject: string; payload: string }>(
      `SELECT subject, payload FROM accounts.outbox WHERE company_id = $1 AND payload LIKE '%repeated%' AND subject LIKE 'events.%'`,
      [caller.companyId],
    );
    const { js } = new EventStream(platform.connection);
    for (let copy = 0; copy < 2; copy++)
      await js.publish(rows[0]!.subject, rows[0]!.payload, { msgID: `${hook.id} again ${copy}` });
    await makeKey(caller, 'last');
    await arrived(path, 2);
    expect((await deliveriesOf(caller, hook.id)).map(({ request_body }) => request_body)).toMatchObject([
      { data: { name: 'repeated' } },
      { data: { name: 'last' } },
    ]);
  });

  it('happens once when what the stream has discarded is sent again', async () => {
    const caller = await callerOf();
    const path = newPath();
    const hook = await subscribe(caller, path, ['api_key.created']);
    await makeKey(caller, 'heard');
    await arrived(path, 1);
    const { countDiscardedEvents, resendDiscardedEvents } = deadLettersOf('accounts').endpoints;
    // One that was read, and one that the stream has had and no consumer has read.
    const hourAgo = Date.now() - 3_600_000;
    const ofCompany = `company_id = $1 AND subject LIKE 'events.%.api_key.created' AND payload LIKE '%"heard"%'`;
    await platform.sql.query(
      `INSERT INTO accounts.outbox (message_id, company_id, subject, payload, sent_at)
       SELECT $2::uuid, company_id, subject, (payload::jsonb || jsonb_build_object('event_id', $2::uuid))::text, $3::bigint
       FROM accounts.outbox WHERE ${ofCompany}`,
      [caller.companyId, randomUUID(), hourAgo],
    );
    await platform.sql.query(`UPDATE accounts.outbox SET sent_at = $2 WHERE ${ofCompany}`, [caller.companyId, hourAgo]);
    // Some of the first minute of the stream, which may not have been marked as sent in time, may be counted too.
    expect((await platform.bus.call(countDiscardedEvents, {}, caller)).messages).toBeGreaterThanOrEqual(2);
    const { messages, until } = await platform.bus.call(resendDiscardedEvents, {}, caller);
    expect(messages).toBeGreaterThanOrEqual(2);
    expect((await platform.bus.call(resendDiscardedEvents, { until }, caller)).messages).toBe(0);
    await arrived(path, 2);
    await makeKey(caller, 'last');
    await arrived(path, 3);
    expect((await deliveriesOf(caller, hook.id)).map(({ request_body }) => request_body)).toMatchObject([
      { data: { name: 'heard' } },
      { data: { name: 'heard' } },
      { data: { name: 'last' } },
    ]);
    const { rows } = await platform.sql.query(`SELECT 1 FROM accounts.outbox WHERE ${ofCompany} AND sent_at > $2`, [
      caller.companyId,
      until,
    ]);
    expect(rows).toHaveLength(2);
  });

  it('survives kills of the service: every event arrives, and repeats carry the same delivery', async () => {
    const caller = await callerOf();
    const path = newPath();
    target.answerWith(() => ({ latencyMs: 50 }));
    const hook = await subscribe(caller, path, ['api_key.created']);
    const ids: number[] = [];
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 8; n++) ids.push((await makeKey(caller, `key ${round} ${n}`)).id);
      await platform.service('accounts').kill('SIGKILL');
      await platform.startService('accounts');
    }
    await eventually(
      'every event arrives',
      async () => {
        const open = await platform.sql.query(
          `SELECT 1 FROM accounts.webhook_deliveries WHERE webhook_id = $1 AND status = 'PENDING'`,
          [hook.id],
        );
        const arrivedIds = callsTo(path).map(
          ({ body }) => (JSON.parse(body.toString()) as { resource: { id: number } }).resource.id,
        );
        return open.rows.length === 0 && ids.every((id) => arrivedIds.includes(id));
      },
      90_000,
    );
    const sent = callsTo(path).map(({ headers, body }) =>
      [headers['x-service-delivery'], (JSON.parse(body.toString()) as { event_id: string }).event_id].join(),
    );
    expect(new Set(sent).size).toBe(ids.length);
  }, 150_000);
});
