import { EventStream } from '@signalbox/bus';
import { apiKeys } from '@signalbox/contracts';
import { eventually, Platform, type TestCompany, timeScale } from '@signalbox/testing';

let platform: Platform;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'gateway']);
}, 60_000);
afterAll(() => platform.stop());

interface Frame {
  id: number;
  event: string;
  data: { type: string; seq: number; timestamp: number; resource: { id: number }; data: { name?: string } };
}

const fields = (frame: string): Record<string, string> =>
  Object.fromEntries(frame.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));

/** A stream that is read while it is open. */
class Feed {
  text = '';
  private readonly controller = new AbortController();
  readonly response: Promise<Response>;
  readonly closed: Promise<void>;

  constructor({ key }: TestCompany, query = '', headers: Record<string, string> = {}) {
    this.response = fetch(`${platform.baseUrl}/events${query}`, {
      headers: { 'X-Service-Api-Key': key, ...headers },
      signal: this.controller.signal,
    });
    this.closed = this.read().catch(() => undefined);
  }

  get frames(): Frame[] {
    const whole = this.text.split('\n\n').slice(0, -1);
    return whole.map(fields).flatMap(({ id, event = '', data }) =>
      // An id without data is a position, which clients keep and do not report.
      id === undefined || data === undefined
        ? []
        : [{ id: Number(id), event, data: JSON.parse(data) as Frame['data'] }],
    );
  }

  names = (): (string | undefined)[] => this.frames.map(({ data }) => data.data.name);

  async until(names: string[]): Promise<void> {
    await eventually(`the events of ${names.join()}`, () => this.names().length >= names.length);
    expect(this.names()).toEqual(names);
  }

  leave(): void {
    this.controller.abort();
  }

  private async read(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of (await this.response).body ?? []) this.text += decoder.decode(bytes as Uint8Array);
  }
}

const makeKeys = async ({ companyId }: TestCompany, names: string[]): Promise<void> => {
  for (const name of names)
    await platform.bus.call(apiKeys.endpoints.createApiKey, { name, scopes: ['read'] }, platform.caller(companyId));
};

/** An open feed that has reached the end of the stream. */
async function opened(company: TestCompany, query?: string, headers?: Record<string, string>): Promise<Feed> {
  const feed = new Feed(company, query, headers);
  expect((await feed.response).headers.get('content-type')).toContain('text/event-stream');
  return feed;
}

/** A company whose own events are in the stream. */
async function newCompany(): Promise<TestCompany> {
  const company = await platform.company();
  await eventually('its events are published', async () => {
    const { rows } = await platform.sql.query('SELECT 1 FROM accounts.outbox WHERE sent_at IS NULL');
    return rows.length === 0;
  });
  return company;
}

describe('GET /events', () => {
  it('sends the events of the company as they happen, and none of another', async () => {
    const [company, other] = [await newCompany(), await newCompany()];
    const feed = await opened(company);
    await makeKeys(other, ['theirs']);
    await makeKeys(company, ['a', 'b', 'c']);
    await feed.until(['a', 'b', 'c']);
    const [first, second] = feed.frames;
    expect(first).toMatchObject({
      event: 'api_key.created',
      data: {
        type: 'api_key.created',
        seq: first?.id,
        timestamp: expect.any(Number),
        event: 'api_key.created',
        event_id: expect.any(String),
        company_id: company.companyId,
        resource: { type: 'api_key' },
      },
    });
    expect(second!.id).toBeGreaterThan(first!.id);
    feed.leave();
  });

  it('continues after Last-Event-ID without a gap or a repeat, and replays from 0', async () => {
    const company = await newCompany();
    const names = Array.from({ length: 12 }, (_, n) => `key ${n}`);
    const feed = await opened(company);
    await makeKeys(company, names.slice(0, 5));
    await feed.until(names.slice(0, 5));
    feed.leave();
    const seen = feed.frames[2]!.id;
    await makeKeys(company, names.slice(5, 8));
    const resumed = await opened(company, '', { 'Last-Event-ID': String(seen) });
    await resumed.until(names.slice(3, 8));
    await makeKeys(company, names.slice(8));
    await resumed.until(names.slice(3));
    resumed.leave();
    const replayed = await opened(company, '?last_event_id=0');
    await replayed.until(['admin', ...names]);
    replayed.leave();
  });

  it('sends only the selected events and skips the others for good', async () => {
    const company = await newCompany();
    const feed = await opened(company, '?events=api_key.revoked,agent.*');
    await makeKeys(company, ['x', 'y']);
    const { rows } = await platform.sql.query<{ id: number }>(
      'SELECT max(id)::int AS id FROM accounts.api_keys WHERE company_id = $1',
      [company.companyId],
    );
    const input = { api_key_id: rows[0]!.id };
    await platform.bus.call(apiKeys.endpoints.revokeApiKey, input, platform.caller(company.companyId));
    await feed.until(['y']);
    expect(feed.frames[0]?.event).toBe('api_key.revoked');
    feed.leave();
  });

  it('separates events that share a message, also when a client resumes in the middle of one', async () => {
    const company = await newCompany();
    const feed = await opened(company);
    const { js } = new EventStream(platform.connection);
    const shared = {
      event: 'api_key.created',
      company_id: company.companyId,
      occurred_at: Date.now(),
      resource: { type: 'api_key' },
      data: { scopes: ['read'] },
    };
    const events = ['one', 'two', 'three'].map((name, id) => ({
      event_id: `e${id}`,
      resource: { id },
      data: { name },
    }));
    await js.publish(`events.${company.companyId}.api_key.created`, JSON.stringify({ shared, events }));
    await feed.until(['one', 'two', 'three']);
    expect(feed.frames[2]?.data).toMatchObject({ resource: { type: 'api_key', id: 2 }, data: { scopes: ['read'] } });
    const resumed = await opened(company, `?last_event_id=${feed.frames[0]?.id}`);
    await resumed.until(['two', 'three']);
    [feed, resumed].forEach((each) => each.leave());
  });

  it('asks the bus for little when an event happens', async () => {
    const company = await newCompany();
    const feed = await opened(company);
    await makeKeys(company, ['first']);
    await feed.until(['first']);
    let requests = 0;
    const unlisten = ['INFO', 'MSG.GET'].map((request) =>
      platform.connection.listen(`$JS.API.STREAM.${request}.EVENTS`, () => requests++),
    );
    const names = Array.from({ length: 20 }, (_, n) => `key ${n}`);
    for (const [at, name] of names.entries()) {
      await makeKeys(company, [name]);
      await feed.until(['first', ...names.slice(0, at + 1)]);
    }
    unlisten.forEach((end) => end());
    feed.leave();
    // A read of the event takes two requests, and one that finds nothing, which may follow, four.
    expect(requests).toBeLessThanOrEqual(7 * names.length);
  });

  it.each([
    ['?events=nothing.*', /unknown event pattern: nothing/],
    ['?last_event_id=99999999999', /is above the id of the last event/],
    ['?last_event_id=x', /last_event_id/],
  ])('refuses %s', async (query, message) => {
    const company = await newCompany();
    const feed = new Feed(company, query);
    expect((await feed.response).status).toBe(400);
    await feed.closed;
    expect((JSON.parse(feed.text) as { error: { message: string } }).error.message).toMatch(message);
  });

  it('ends when its gateway stops, which does not wait for it', async () => {
    const company = await newCompany();
    const feed = await opened(company);
    const began = Date.now();
    await platform.service('gateway').kill('SIGTERM');
    await feed.closed;
    expect(platform.service('gateway').exitCode).toBe(0);
    expect(Date.now() - began).toBeLessThan(20_000 * timeScale());
    await platform.startService('gateway');
  }, 60_000);
});

/** How many streams one key may have open. */
const MOST = 200;

/** Counts what the bus is asked for by subject; returns the function that ends it. */
function countReads(counts: Map<string, number>): () => void {
  return platform.connection.listen('$JS.API.STREAM.MSG.GET.EVENTS', (payload) => {
    const { next_by_subj: subject = '' } = JSON.parse(Buffer.from(payload).toString()) as { next_by_subj?: string };
    counts.set(subject, (counts.get(subject) ?? 0) + 1);
  });
}

describe('many streams', () => {
  const feeds: Feed[] = [];
  afterEach(async () => {
    feeds.forEach((feed) => feed.leave());
    await Promise.all(feeds.splice(0).map(({ closed }) => closed));
  });
  const open = async (company: TestCompany, count: number, query = ''): Promise<Feed[]> => {
    const added = await Promise.all(Array.from({ length: count }, () => opened(company, query)));
    feeds.push(...added);
    return added;
  };

  it('wake for events of their company and topic alone, and read them together', async () => {
    const [one, other] = [await newCompany(), await newCompany()];
    const each = MOST / 4;
    const woken = await open(one, each);
    const asleep = [
      ...(await open(one, each, '?events=agent.*,test_set.created')),
      ...(await open(other, each)),
      ...(await open(other, each, '?events=api_key.created')),
    ];
    const names = Array.from({ length: 20 }, (_, n) => `key ${n}`);
    const reads = new Map<string, number>();
    const end = countReads(reads);
    await makeKeys(one, names);
    for (const feed of woken) await feed.until(names);
    end();
    expect(asleep.flatMap((feed) => feed.names())).toEqual([]);
    const of = ({ companyId }: TestCompany) =>
      [...reads].reduce((sum, [subject, count]) => sum + (subject.startsWith(`events.${companyId}.`) ? count : 0), 0);
    // Each stream looks for itself four times a minute as well.
    expect(of(one)).toBeLessThan(names.length * each * 0.5);
    expect(of(other)).toBeLessThan(names.length * each * 0.5);
  }, 120_000);

  it('are as many as one key may have, each receives every event once, and a further one is refused until one ends', async () => {
    const company = await newCompany();
    const all = await open(company, MOST, '?events=api_key.created');
    const refused = new Feed(company);
    expect((await refused.response).status).toBe(429);
    await makeKeys(company, ['a', 'b', 'c']);
    for (const feed of all) await feed.until(['a', 'b', 'c']);
    all[0]?.leave();
    await eventually('another one may be opened', async () => {
      const next = new Feed(company);
      feeds.push(next);
      return (await next.response).status === 200;
    });
  }, 120_000);
});
