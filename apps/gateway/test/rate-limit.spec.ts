import { Platform } from '@signalbox/testing';
import { ask } from './client.js';

let platform: Platform;
let first: string;
let second: string;
beforeAll(async () => {
  platform = await Platform.start({ services: ['accounts', 'gateway'], env: { RATE_LIMIT_RPS: '5' } });
  first = (await platform.company()).key;
  second = (await platform.company()).key;
}, 60_000);
afterAll(() => platform?.stop());

const get = (key: string) => ask(platform, 'GET', '/api/v1/company', { key });

describe('the rate limit', () => {
  it('lets each key through at its rate and says so on every response', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => get(first)));
    expect(all.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
    const refused = all.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(refused?.body).toEqual({ error: { status: 429, message: 'too many requests' } });
    for (const { headers } of all) {
      expect(headers.get('ratelimit-limit')).toBe('5');
      expect(Number(headers.get('ratelimit-remaining'))).toBeLessThan(5);
      expect(headers.get('ratelimit-reset')).toBe('1');
    }
    expect((await get(second)).status).toBe(200);
  });

  it('refuses chat completions in the words of OpenAI', async () => {
    const { key } = await platform.company();
    const post = () => ask(platform, 'POST', '/api/v1/chat/completions', { key, body: { messages: [] } });
    const refused = (await Promise.all(Array.from({ length: 8 }, post))).find(({ status }) => status === 429);
    expect(refused?.body).toEqual({
      error: { status: 429, message: 'too many requests', type: 'rate_limit_error', code: 'rate_limited' },
    });
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(refused?.headers.get('ratelimit-limit')).toBe('5');
    expect(refused?.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('slows down those who guess keys', async () => {
    const statuses = new Set<number>();
    for (let at = 0; at < 12; at++) statuses.add((await get('garbage')).status);
    expect(statuses).toEqual(new Set([401, 429]));
  });
});

describe('addresses that open without a key', () => {
  it('are not guessed faster than they can be refused', async () => {
    const guess = () => ask(platform, 'POST', `/api/v1/hooks/agents/${'x'.repeat(43)}`, { body: 1 });
    const all = await Promise.all(Array.from({ length: 80 }, guess));
    // Nobody is there to say that they name nothing; they count all the same.
    const refused = all.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(10);
    expect(all.length - refused.length).toBeGreaterThanOrEqual(50);
    expect(refused[0]!.headers.get('retry-after')).toBe('1');
    expect(refused[0]!.body).toEqual({ error: { status: 429, message: 'too many requests' } });
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect((await guess()).status).not.toBe(429);
  });
});
