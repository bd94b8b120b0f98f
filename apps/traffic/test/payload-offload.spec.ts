import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chatSessions, completions, type RecordedRequest, requestPayloads, requests } from '@signalbox/contracts';
import { eventually, type ObjectServer, startObjectServer } from '@signalbox/testing';
import { ask, LIST, recorded, rowsOf, startTraffic, type Traffic, withModel } from './traffic.js';

const HOUR = 3_600_000;
/** Just over the size from which a part is stored aside. */
const LONG = 'needle '.repeat(37_000);
const SAME = 'same '.repeat(52_000);
const read = requests.endpoints;

interface Objects {
  url: string;
  /** The keys of all objects. */
  keys(): Promise<string[]>;
  /** Makes objects look as if they had been written at another time. */
  date(keys: readonly string[], at: number): Promise<void>;
  vanish(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

async function directory(): Promise<Objects> {
  const folder = await mkdtemp(join(tmpdir(), 'large-parts-'));
  const root = join(folder, 'objects');
  const files = async () => {
    const found = await readdir(join(root, 'traffic'), { recursive: true }).catch(() => []);
    return found.map(String).filter((path) => /^\d+\/[0-9a-f]{2}\/[0-9a-f]{64}$/.test(path) && !path.startsWith('0/'));
  };
  const keyOf = (path: string) => path.replace(/\/[0-9a-f]{2}\//, '/');
  return {
    url: pathToFileURL(root).href,
    keys: async () => (await files()).map(keyOf),
    date: async (keys, at) => {
      for (const path of await files())
        if (keys.includes(keyOf(path))) await utimes(join(root, 'traffic', path), at / 1000, at / 1000);
    },
    vanish: () => rename(root, `${root}.away`),
    comeBack: () => rename(`${root}.away`, root),
    close: () => rm(folder, { recursive: true }),
  };
}

function bucket(server: ObjectServer): Objects {
  const PREFIX = 'some/folder/traffic/';
  return {
    url: server.urlWith(),
    keys: () => Promise.resolve([...server.objects.keys()].map((name) => name.slice(PREFIX.length))),
    date: (keys, at) => {
      for (const [name, object] of server.objects) if (keys.includes(name.slice(PREFIX.length))) object.writtenAt = at;
      return Promise.resolve();
    },
    vanish: () => server.stop(),
    comeBack: () => server.restart(),
    close: () => server.stop(),
  };
}

const KINDS: Record<string, () => Promise<Objects>> = {
  directory,
  bucket: async () => bucket(await startObjectServer()),
};

describe.each(Object.entries(KINDS))('large parts of requests, with a %s', (_, start) => {
  let objects: Objects;
  let traffic: Traffic;
  let companyId: number;
  const caller = () => traffic.platform.caller(companyId);
  const call = (text = LONG + randomUUID()) => ask(traffic, companyId, text, { model: 'm' });
  const ofCompany = async () => (await objects.keys()).filter((key) => key.startsWith(`${companyId}/`));

  beforeAll(async () => {
    objects = await start();
    // The end of a sweep that deletes nothing is logged for debugging only.
    const env = { OBJECT_STORE_URL: objects.url, LOG_LEVEL: 'debug' };
    traffic = await startTraffic({ gateway: true, env });
  }, 60_000);
  beforeEach(async () => ({ companyId } = await withModel(traffic)));
  afterAll(async () => {
    await traffic.stop();
    await objects.close();
  });

  const countIs = (count: number, limitMs = 30_000) =>
    eventually(`${count} objects`, async () => ((await ofCompany()).length === count ? true : undefined), limitMs);
  /** A row names its objects after they are in the store; those that are deleted before are not left to the sweep. */
  const areMoved = (count: number) =>
    eventually(`${count} rows are short`, async () => {
      const rows = await rowsOf(traffic, companyId);
      return rows.filter(({ objects: keys }) => keys).length === count;
    });
  const storeIs = (state: 'ok' | 'down') =>
    eventually(`the store is ${state}`, async () => {
      const response = await fetch(`http://127.0.0.1:${traffic.platform.port}/readyz`);
      const { checks } = (await response.json()) as { checks: { object_store: string } };
      return checks.object_store === state ? true : undefined;
    });

  it('lie in the store, and come back whole', async () => {
    const { request_id } = await call(`${LONG}the end`);
    await areMoved(1);
    await countIs(2);
    const [row] = await rowsOf(traffic, companyId);
    expect(Object.keys(row?.objects as object).sort()).toEqual(['params', 'response']);
    expect(JSON.stringify(row).length).toBeLessThan(10_000);
    const one: RecordedRequest = await traffic.platform.bus.call(read.getRequest, { request_id }, caller());
    expect(one.params).toMatchObject({ messages: [{ role: 'user', content: `${LONG}the end` }] });
    expect(JSON.stringify(one.response)).toContain(`echo: ${LONG}the end`);
    expect(JSON.stringify(one)).not.toContain('stored_aside');
    const page = await traffic.platform.bus.call(
      read.searchRequests,
      { ...LIST, include_body: true, text: 'needle' },
      caller(),
    );
    expect(page.data).toEqual([one]);
    const { original } = await traffic.platform.bus.call(read.getRequestResponse, { request_id }, caller());
    expect(original).toEqual(one.response);
    const { readSourcePayloads } = requestPayloads.endpoints;
    const judged = await traffic.platform.bus.call(readSourcePayloads, { source_ids: [request_id] }, caller());
    const { messages } = one.params as { messages: unknown };
    expect(judged.payloads.map(({ payload }) => payload)).toMatchObject([{ messages, response: one.response }]);
    const again = await traffic.platform.bus.call(read.rerunRequest, { request_id }, caller());
    expect(again.params).toEqual(one.params);
  });

  it('are brought back over HTTP', async () => {
    const { companyId: id, key } = await traffic.platform.company();
    const request_id = randomUUID();
    const chat_completion_request = { request_id, messages: [{ role: 'user', content: LONG }], model: 'theirs' };
    const chat_completion_response = { choices: [{ message: { role: 'assistant', content: LONG } }], odd: 1e300 };
    const api = traffic.platform.api(key);
    await api.data('PUT', '/chat/completions/response', { chat_completion_request, chat_completion_response });
    await eventually('both parts are stored', async () =>
      (await objects.keys()).filter((name) => name.startsWith(`${id}/`)).length === 2 ? true : undefined,
    );
    const data = await api.data<RecordedRequest>('GET', `/requests/${request_id}`);
    expect(data.params).toMatchObject({ messages: [{ content: LONG }] });
    expect(data.response).toMatchObject(chat_completion_response);
  });

  it('are deleted with their request, unless another one has the same', async () => {
    const first = await call(SAME);
    const second = await call(SAME);
    await areMoved(2);
    const before = (await ofCompany()).length;
    // The two answers have different ids; the two questions are one.
    expect(before).toBe(3);
    await traffic.platform.bus.call(read.deleteRequest, { request_id: first.request_id }, caller());
    expect((await ofCompany()).length).toBe(2);
    const rest: RecordedRequest = await traffic.platform.bus.call(
      read.getRequest,
      { request_id: second.request_id },
      caller(),
    );
    expect(JSON.stringify(rest.params)).toContain(SAME);
    await traffic.platform.bus.call(read.deleteRequest, { request_id: second.request_id }, caller());
    await countIs(0);
  });

  it('include corrections, which go when they are replaced', async () => {
    const { request_id } = await ask(traffic, companyId, 'short', { model: 'm' });
    await recorded(traffic, companyId, 1);
    const correct = (content: string) =>
      traffic.platform.bus.call(
        read.correctRequest,
        { request_id, choices: [{ message: { role: 'assistant', content } }] },
        caller(),
      );
    await correct(LONG);
    await countIs(1);
    const [listed] = (await traffic.platform.bus.call(read.listRequests, { ...LIST, include_body: false }, caller()))
      .data;
    expect(listed?.corrected_response?.choices[0]?.message.content).toBe(LONG);
    // Also one that is still on its way from its row when its correction is replaced.
    await correct('short');
    await countIs(0);
    await correct(`${LONG}.`);
    await countIs(1);
    await traffic.platform.bus.call(read.removeCorrection, { request_id }, caller());
    await countIs(0);
  });

  it('are deleted with their session', async () => {
    const session_id = `session ${randomUUID()}`;
    await traffic.platform.bus.call(
      completions.endpoints.createCompletion,
      { messages: [{ role: 'user', content: LONG }], model: 'm', session_id, stream: false, return_evaluation: false },
      caller(),
    );
    await countIs(2);
    const timeline = await traffic.platform.bus.call(
      chatSessions.endpoints.listSessionTimeline,
      { session_id, ...LIST },
      caller(),
    );
    expect(timeline.data.map(({ content }) => String(content).slice(0, 6))).toEqual(['needle', 'echo: ']);
    await traffic.platform.bus.call(chatSessions.endpoints.deleteSession, { session_id }, caller());
    await countIs(0);
  });

  it('stay in the row while the store is away, which readiness reports, and follow when it is back', async () => {
    await storeIs('ok');
    await objects.vanish();
    const { request_id } = await call();
    await storeIs('down');
    await recorded(traffic, companyId, 1);
    const one = await traffic.platform.bus.call(read.getRequest, { request_id }, caller());
    expect(JSON.stringify(one)).toContain(LONG);
    await objects.comeBack();
    await storeIs('ok');
    // The work is tried again after some seconds, which are left out here, or when its lease runs out.
    await traffic.platform.sql.query(
      'UPDATE traffic.work SET due_at = now() WHERE done_at IS NULL AND lease_owner IS NULL',
    );
    await countIs(2, 40_000);
    await areMoved(1);
    const then = await traffic.platform.bus.call(read.getRequest, { request_id }, caller());
    expect(then).toEqual(one);
    await objects.vanish();
    await expect(traffic.platform.bus.call(read.getRequest, { request_id }, caller())).rejects.toMatchObject({
      status: 503,
    });
    const { request_id: id } = await ask(traffic, companyId, 'short', { model: 'm' });
    await recorded(traffic, companyId, 2);
    await traffic.platform.bus.call(read.getRequest, { request_id: id }, caller());
    await traffic.platform.bus.call(read.deleteRequest, { request_id }, caller());
    await objects.comeBack();
  }, 90_000);

  it('without a reference are swept after a day', async () => {
    const kept = await call();
    const dropped = await call();
    await areMoved(2);
    const old = await ofCompany();
    const droppedLater = await call();
    await areMoved(3);
    await countIs(6);
    const young = (await ofCompany()).filter((key) => !old.includes(key));
    const { sql } = traffic.platform;
    // As a dropped partition does: the rows are gone, their objects are still named.
    await sql.query('DELETE FROM traffic.requests WHERE company_id = $1 AND request_id = ANY($2)', [
      companyId,
      [dropped.request_id, droppedLater.request_id],
    ]);
    const swept = async () => (await traffic.platform.logOf('traffic')).split('swept the object store').length;
    const sweep = async () => {
      // A sweep that the process begins before its end would be the only one for an hour.
      await traffic.platform.service('traffic').kill();
      const before = await swept();
      await sql.query('UPDATE traffic.object_sweep SET began_at = 0');
      await traffic.platform.service('traffic').start();
      await eventually('the store is swept', async () => (await swept()) > before);
    };
    await objects.date(young, Date.now() - 23 * HOUR);
    await objects.date(old, Date.now() - 25 * HOUR);
    await sweep();
    const left = await ofCompany();
    expect(left.length).toBe(4);
    expect(left).toEqual(expect.arrayContaining(young));
    await traffic.platform.bus.call(read.getRequest, { request_id: kept.request_id }, caller());
    const names = await sql.query('SELECT 1 FROM traffic.request_objects WHERE company_id = $1 AND request_id = $2', [
      companyId,
      kept.request_id,
    ]);
    expect(names.rowCount).toBe(2);
  }, 120_000);
});

describe('without a setting', () => {
  it('large parts lie below the data directory', async () => {
    const traffic = await startTraffic();
    const { companyId } = await withModel(traffic);
    await ask(traffic, companyId, LONG, { model: 'm' });
    const home = join(traffic.platform.servers.dir, 'objects', 'traffic', String(companyId));
    await eventually('there is an object', () => stat(home).catch(() => undefined));
    await traffic.stop();
  }, 60_000);
});
