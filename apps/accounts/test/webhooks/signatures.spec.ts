import { randomUUID } from 'node:crypto';
import { apiKeys, auditLog } from '@signalbox/contracts';
import { CanarySearch, encodingsOf, eventually } from '@signalbox/testing';
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
  hurryJobs,
  hurry,
  hmac,
  hooks,
  log,
} from './fixture.js';

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
