import { randomUUID } from 'node:crypto';
import { ObjectDeletions, type Tx } from '@signalbox/database';
import { openObjectStore, type ObjectStore } from '@signalbox/objects';
import { createLogger } from '@signalbox/platform';
import { openDatabase, type OpenDatabase, startServers, type TestServers } from '@signalbox/testing';
import { PayloadOffload } from '../src/payload-offload/payload-offload.js';
import { OffloadedObjects } from '../src/payload-offload/offloaded-objects.repository.js';
import { UNREFERENCED } from '../src/payload-offload/offloaded-objects.sql.js';
import { trafficJobs } from '../src/jobs.js';
import { RequestRetention } from '../src/requests/retention/request-retention.repository.js';
import { recordOf } from '../src/request-records/request-record.js';
import { requestWriter } from './request-writer.js';

const DAY_MS = 86_400_000;
const COMPANY = 7;

let servers: TestServers;
let open: OpenDatabase;
let store: ObjectStore;
let parts: PayloadOffload;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'traffic', 4);
  store = openObjectStore({ OBJECT_STORE_URL: '', DATA_DIR: servers.dir }, 'traffic');
  parts = new PayloadOffload(open.db, new OffloadedObjects(open.db), store, createLogger('traffic', 'silent'));
}, 60_000);
afterAll(async () => {
  await open.close();
  await servers.stop();
});

const recorded = (text: string, began: number) =>
  recordOf({
    requestId: randomUUID(),
    companyId: COMPANY,
    place: { applicationId: null, intentId: null, intentGroupId: null },
    sessionId: null,
    inSession: false,
    referenceId: null,
    requestType: 'PROD',
    inferenceLocation: 'SERVER',
    model: 'm',
    provider: 'p',
    metadata: {},
    params: { messages: [{ role: 'user', content: text.repeat(300_000) }] },
    answer: { choices: [] },
    failure: null,
    fallback: null,
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, cost: null },
    firstTokenMs: null,
    responseMs: 1,
    began,
  });

async function claim() {
  const limits = { limit: 100, leaseMs: 30_000, perCompany: 100, busy: new Map(), takeOver: true };
  return (await open.work.claim({ kind: trafficJobs.offloadPayload.name, owner: randomUUID(), ...limits })).jobs;
}

async function moveAll(count: number): Promise<void> {
  const jobs = await claim();
  expect(jobs).toHaveLength(count);
  for (const job of jobs) await parts.move(job);
}

async function keys(): Promise<string[]> {
  const found: string[] = [];
  for await (const key of store.listOlderThan(Date.now() + DAY_MS)) found.push(key);
  return found;
}

describe('retention', () => {
  it('takes the objects of the requests it deletes and no others', async () => {
    const day = Math.floor(Date.now() / DAY_MS) * DAY_MS - 40 * DAY_MS;
    const records = [recorded('old', day), recorded('shared', day + 1), recorded('shared', day + 2 * DAY_MS)];
    await requestWriter(open.db).insertOf(COMPANY, records);
    await moveAll(3);
    expect(await keys()).toHaveLength(2);
    await new RequestRetention(open.db, parts).remove(COMPANY, day, day + DAY_MS);
    const [left, ...others] = await keys();
    expect(others).toEqual([]);
    expect((await store.get(left!))?.toString()).toContain('shared');
  });

  it('leaves no reference of a request that went with its day', async () => {
    const records = [recorded('dropped', Date.now()), recorded('dropped', Date.now())];
    await requestWriter(open.db).insertOf(COMPANY, records);
    await moveAll(2);
    const [first, second] = records.map(({ request_id }) => request_id);
    const query = <Row extends object>(sql: string, values: unknown[]) =>
      open.db.withCompany({ companyId: COMPANY }, (tx) => tx.query<Row>(sql, [COMPANY, ...values]));
    const references = () =>
      query<{ request_id: string; object_key: string }>(
        'SELECT request_id, object_key FROM traffic.request_objects WHERE company_id = $1 AND request_id = ANY ($2)',
        [[first, second]],
      );
    // As when a partition is dropped.
    const drop = (id: string | undefined) =>
      query('DELETE FROM traffic.requests WHERE company_id = $1 AND request_id = $2', [id]);
    const [{ object_key: key } = { object_key: '' }, ...others] = await references();
    expect(others).toMatchObject([{ object_key: key }]);
    await drop(first);
    expect(await parts.collectOld(COMPANY, [key], Date.now() + DAY_MS)).toBe(0);
    expect((await references()).map(({ request_id }) => request_id)).toEqual([second]);
    await drop(second);
    expect(await parts.collectOld(COMPANY, [key], Date.now() + DAY_MS)).toBe(1);
    expect(await references()).toEqual([]);
  });

  it('leaves alone what a worker without a lease would have moved', async () => {
    const [kept] = [recorded('late', Date.now())];
    await requestWriter(open.db).insertOf(COMPANY, [kept]);
    const [job] = await claim();
    await expect(parts.move({ ...job!, fence: job!.fence - 1 })).rejects.toThrow('taken over');
    const found = await open.db.select<{ objects: object | null }>(
      COMPANY,
      `SELECT x.* FROM s, LATERAL (SELECT t.objects FROM traffic.requests t
         WHERE t.company_id = s.company AND t.request_id = $2 OFFSET 0) x`,
      [kept.request_id],
    );
    expect(found).toEqual([{ objects: null }]);
  });
});

describe('an object that is deleted while the same content is stored again', () => {
  it('is not referred to before it is there again', async () => {
    const deletions = new ObjectDeletions(open.db, UNREFERENCED);
    const transaction = <T>(work: (tx: Tx) => Promise<T>) => open.db.withCompany({ companyId: COMPANY }, work);
    const bytes = Buffer.from('the same content');
    const since = await transaction((tx) => deletions.now(tx));
    const key = await store.put(COMPANY, bytes);
    // Nothing refers to it yet, so that the end of another request with this content deletes it.
    await deletions.delete(COMPANY, [key], (each) => store.delete(each));
    await expect(transaction((tx) => deletions.requireKept(tx, [key], since))).rejects.toMatchObject({
      kind: 'unavailable',
    });
    const again = await transaction((tx) => deletions.now(tx));
    expect(await store.put(COMPANY, bytes)).toBe(key);
    await transaction((tx) => deletions.requireKept(tx, [key], again));
    expect(await store.get(key)).toEqual(bytes);
  });

  it('is not stored inside a transaction', async () => {
    const stored = open.db.withCompany({ companyId: COMPANY }, () => store.put(COMPANY, Buffer.from('x')));
    await expect(stored).rejects.toThrow('while a transaction is open');
  });

  it('counts as being deleted while it is', async () => {
    const deletions = new ObjectDeletions(open.db, UNREFERENCED);
    const key = await store.put(COMPANY, Buffer.from('other content'));
    let during: boolean | undefined;
    await deletions.delete(COMPANY, [key], async () => {
      during = await deletions.isUnderWay(COMPANY, key);
    });
    expect([during, await deletions.isUnderWay(COMPANY, key)]).toEqual([true, false]);
  });
});
