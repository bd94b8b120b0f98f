import { randomUUID } from 'node:crypto';
import { EventStream } from '@signalbox/bus';
import { deadLettersOf, operator } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import {
  platform,
  target,
  callerOf,
  newPath,
  subscribe,
  makeKey,
  callsTo,
  arrived,
  deliveriesOf,
  hooks,
  log,
} from './fixture.js';

describe('the events of a webhook', () => {
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

  it('is neither asked for again nor tested while more than ten thousand wait', async () => {
    const caller = await callerOf();
    const path = newPath();
    const { id: webhook_id } = await subscribe(caller, path, ['api_key.created']);
    await makeKey(caller, 'once');
    await arrived(path, 1);
    const [delivery] = await deliveriesOf(caller, webhook_id);
    const replay = () => platform.bus.call(log.replayDelivery, { webhook_id, delivery_id: delivery?.id ?? 0 }, caller);
    await replay();
    await platform.sql.query(
      `INSERT INTO accounts.webhook_deliveries (company_id, webhook_id, event_id, event, status, request_body)
       SELECT $1, $2, gen_random_uuid(), 'api_key.created', 'PENDING', '{}' FROM generate_series(1, 10001)`,
      [caller.companyId, webhook_id],
    );
    await expect(replay()).rejects.toMatchObject({ kind: 'conflict' });
    await expect(platform.bus.call(hooks.testWebhook, { webhook_id }, caller)).rejects.toMatchObject({
      kind: 'conflict',
    });
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
