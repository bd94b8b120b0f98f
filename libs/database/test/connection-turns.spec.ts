// A company that uses all that it may of the connections of a process, with statements that wait for one row.
import { scrape } from '@signalbox/platform';
import {
  eventually,
  migrateOn,
  openDatabase,
  type OpenDatabase,
  startServers,
  type TestServers,
} from '@signalbox/testing';

const CONNECTIONS = 4;
const [BUSY, OTHER] = [1, 2];

let servers: TestServers;
let open: OpenDatabase;

beforeAll(async () => {
  servers = await startServers();
  await migrateOn(servers, 'accounts');
  open = await openDatabase(servers, 'accounts', CONNECTIONS);
}, 60_000);

afterAll(async () => {
  await open.close();
  await servers.stop();
});

const read = (companyId: number) => open.db.select(companyId, 'SELECT 1 AS one FROM s');
const write = (companyId: number) => open.db.withCompany({ companyId }, (tx) => tx.query('SELECT 1 AS one'));

describe('a company whose transactions use all the connections that it may', () => {
  let release: () => void;
  let inside = 0;
  let busy: Promise<unknown>[];
  beforeEach(async () => {
    inside = 0;
    const held = new Promise<void>((resolve) => (release = resolve));
    const hold = async (): Promise<void> => {
      inside++;
      await held;
    };
    busy = Array.from({ length: 50 }, () => open.db.withCompany({ companyId: BUSY }, hold));
    await eventually('they run', () => inside > 0);
  });
  afterEach(async () => {
    release();
    await Promise.all(busy);
  });

  it('leaves one to another company, whose reads and transactions do not wait behind its own', async () => {
    const own = [read(BUSY), write(BUSY)];
    for (let times = 0; times < 3; times++)
      expect(await Promise.all([read(OTHER), write(OTHER)])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    expect(inside).toBe(3);
    // 47 transactions and the two of this test.
    expect(await scrape()).toContain('signalbox_pool_connections{pool="runtime",state="waiting"} 49\n');
    release();
    expect(await Promise.all(own)).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    await Promise.all(busy);
    expect(inside).toBe(50);
  });
});

describe('a transaction that fails', () => {
  it('gives its turn to the next one', async () => {
    const failing = () => open.db.withCompany({ companyId: BUSY }, () => Promise.reject(new Error('no')));
    const ends = await Promise.allSettled(Array.from({ length: 20 }, failing));
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(await write(BUSY)).toEqual([{ one: 1 }]);
  });
});
