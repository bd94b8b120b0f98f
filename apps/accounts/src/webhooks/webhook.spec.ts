import { createHmac } from 'node:crypto';
import { afterAttempt, skipReason, RETRY_DELAYS_MS } from './deliveries/delivery.js';
import { deliveriesOf } from './deliveries/new-deliveries.js';
import { matchesEvent, requireKnownPatterns } from '../events/index.js';
import { newSecret, signatureOf, WebhookSeal } from './webhook-secrets.js';
import { disabledAfter, updateWebhook } from './webhook.js';

describe('patterns', () => {
  it.each([
    [['*'], 'agent.created', true],
    [['agent.*'], 'agent.created', true],
    [['agent.*'], 'agent_action.created', false],
    [['agent.created'], 'agent.updated', false],
    [['agent.updated', 'tag.*'], 'tag.deleted', true],
  ])('%j select %s: %s', (patterns, event, selected) => expect(matchesEvent(patterns, event)).toBe(selected));

  it('must name events, families or all', () => {
    expect(() => requireKnownPatterns(['*', 'agent.*', 'api_key.rotated'])).not.toThrow();
    for (const wrong of ['', '**', 'agent', 'agent.', '*.created', 'agent.*.x', 'webhook.test', 'toString'])
      expect(() => requireKnownPatterns([wrong])).toThrow(/unknown event pattern/);
  });
});

describe('a delivery', () => {
  const attempt = (statusCode: number | null) => ({ statusCode, error: null, excerpt: '', durationMs: 1 });

  it.each([200, 204, 299])('SUCCEEDED by status %i', (status) =>
    expect(afterAttempt(1, attempt(status))).toEqual({ status: 'SUCCEEDED', delayMs: null }),
  );

  it.each([null, 100, 199, 300, 302, 400, 410, 500])('is tried again after status %s, six times', (status) => {
    RETRY_DELAYS_MS.forEach((delayMs, at) =>
      expect(afterAttempt(at + 1, attempt(status))).toEqual({ status: 'PENDING', delayMs }),
    );
    expect(afterAttempt(7, attempt(status))).toEqual({ status: 'FAILED', delayMs: null });
  });

  it('is not sent to a webhook that is gone or disabled, except for a test', () => {
    expect(skipReason('agent.created', { enabled: true, deleted_at: null })).toBeNull();
    expect(skipReason('agent.created', { enabled: false, deleted_at: null })).toBe('the webhook is disabled');
    expect(skipReason('webhook.test', { enabled: false, deleted_at: null })).toBeNull();
    expect(skipReason('webhook.test', { enabled: true, deleted_at: 1 })).toBe('the webhook was deleted');
  });

  it('is made for each webhook that selects the event and is not younger', () => {
    const event = (name: string, occurred_at: number) => ({
      event_id: name,
      event: name,
      company_id: 1,
      occurred_at,
      resource: { type: 'agent', id: 1 },
      data: {},
    });
    const webhooks = [
      { id: 1, events: ['*'], date_created: 10_000 },
      { id: 2, events: ['tag.*'], date_created: 50_000 },
    ];
    const made = deliveriesOf([event('agent.created', 20_000), event('tag.created', 20_000)], webhooks);
    expect(made.map(({ webhookId, event: { event } }) => [webhookId, event])).toEqual([
      [1, 'agent.created'],
      [1, 'tag.created'],
    ]);
    expect(deliveriesOf([event('tag.created', 49_500)], webhooks).map(({ webhookId }) => webhookId)).toEqual([1, 2]);
    expect(deliveriesOf([event('agent.created', 8000)], webhooks)).toEqual([]);
  });
});

describe('a webhook', () => {
  it('is disabled by the fiftieth failure in a row, and enabling forgets them', () => {
    expect(disabledAfter(49)).toBeNull();
    expect(disabledAfter(50)).toBe('the last 50 deliveries failed');
    expect(updateWebhook({ enabled: true })).toEqual({
      set: { enabled: true, disabled_reason: null, failed_in_row: 0 },
    });
    expect(updateWebhook({})).toEqual({});
    expect(updateWebhook({ events: ['*', '*'], description: null })).toEqual({
      set: { events: ['*'], description: null },
    });
  });

  it('has a secret that is sealed for its company', () => {
    const seal = new WebhookSeal(['ab'.repeat(32)]);
    const secret = newSecret();
    expect(secret).toMatch(/^whs_[0-9A-Za-z]{40}$/);
    const sealed = seal.seal(1, secret);
    expect(seal.open(1, sealed)).toBe(secret);
    expect(() => seal.open(2, sealed)).toThrow();
    expect(() => new WebhookSeal(['cd'.repeat(32)]).open(1, sealed)).toThrow();
  });

  it('signs time and body with each secret', () => {
    const v1 = (secret: string) => createHmac('sha256', secret).update('12.{"a":1}').digest('hex');
    expect(signatureOf(['one', 'two'], '{"a":1}', 12)).toBe(`t=12,v1=${v1('one')},v1=${v1('two')}`);
  });
});
