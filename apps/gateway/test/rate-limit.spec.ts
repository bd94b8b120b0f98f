import { eventually, Platform } from '@signalbox/testing';
import { ask } from './client.js';

const RATE = 5;
/** Concurrent calls: far more than the rate allows while they are served, on a slow machine too. */
const BURST = 100;
/** Wrong keys of one address in a second. */
const WRONG_KEYS = 50;

let platform: Platform;
let first: string;
let second: string;
beforeAll(async () => {
  platform = await Platform.shared(['accounts']);
  await platform.restartService('gateway', { RATE_LIMIT_RPS: String(RATE) });
  first = (await platform.company()).key;
  second = (await platform.company()).key;
}, 60_000);
afterAll(() => platform?.stop());

type Answer = Awaited<ReturnType<typeof ask>>;

/** Sends concurrent calls; the bucket of their limit admits its tokens and those it gains meanwhile, no more. */
async function burst(
  rate: number,
  size: number,
  call: () => Promise<Answer>,
): Promise<{ all: Answer[]; refused: Answer }> {
  const began = Date.now();
  const all = await Promise.all(Array.from({ length: size }, call));
  const most = rate * (1 + (Date.now() - began) / 1000);
  const refused = all.filter(({ status }) => status === 429);
  expect(size - refused.length).toBeGreaterThanOrEqual(rate);
  expect(size - refused.length).toBeLessThanOrEqual(most);
  return { all, refused: refused[0]! };
}

const get = (key: string) => ask(platform, 'GET', '/api/v1/company', { key });

describe('the rate limit', () => {
  it('admits each key at its rate and reports it on every response', async () => {
    const { all, refused } = await burst(RATE, BURST, () => get(first));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.body).toEqual({ error: { status: 429, message: 'too many requests' } });
    for (const { headers } of all) {
      expect(headers.get('ratelimit-limit')).toBe('5');
      expect(Number(headers.get('ratelimit-remaining'))).toBeLessThan(5);
      expect(headers.get('ratelimit-reset')).toBe('1');
    }
    expect((await get(second)).status).toBe(200);
  });

  it('refuses chat completions in the OpenAI error format', async () => {
    const { key } = await platform.company();
    const post = () => ask(platform, 'POST', '/api/v1/chat/completions', { key, body: { messages: [] } });
    const { refused } = await burst(RATE, BURST, post);
    expect(refused.body).toEqual({
      error: { status: 429, message: 'too many requests', type: 'rate_limit_error', code: 'rate_limited' },
    });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('ratelimit-limit')).toBe('5');
    expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('limits guessing of keys', async () => {
    const { all } = await burst(RATE, BURST, () => get('garbage'));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([401, 429]));
  });
});

describe('paths that need no key', () => {
  it('are not guessed faster than the limit', async () => {
    const guess = () => ask(platform, 'POST', `/api/v1/hooks/agents/${'x'.repeat(43)}`, { body: 1 });
    // The service of the hooks does not run here; wrong keys count all the same.
    const { refused } = await burst(WRONG_KEYS, 4 * WRONG_KEYS, guess);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.body).toEqual({ error: { status: 429, message: 'too many requests' } });
    await eventually('a guess is admitted again', async () => (await guess()).status !== 429, 5000);
  });
});
