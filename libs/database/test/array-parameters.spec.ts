import { toApiError } from '@signalbox/contracts';
import { arrayParameter, type Tx } from '@signalbox/database';
import { openDatabase, type OpenDatabase, startServers, type TestServers } from '@signalbox/testing';

let servers: TestServers;
let open: OpenDatabase;

beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'accounts', 4);
}, 60_000);

afterAll(async () => {
  await open.close();
  await servers.stop();
});

const owner = { companyId: 1 };
const ECHO =
  'SELECT $1::text AS said, u.* FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY u(t, n, at) ORDER BY at';
const echo = (tx: Tx, said: string | null, texts: (string | null)[]) =>
  tx.query<{ said: string | null; t: string | null; n: number }>(ECHO, [
    said,
    texts,
    arrayParameter(
      'bigint',
      texts.map((_, at) => at - 1),
    ),
  ]);

describe('a statement with array parameters', () => {
  it('binds them together with plain values of any size', async () => {
    const texts = ['', 'plain', null, 'ä'.repeat(20_000), '🙂'.repeat(5000), 'x'.repeat(3_000_000)];
    const rows = await open.db.withCompany(owner, (tx) => echo(tx, 'é', texts));
    expect(rows.map(({ t }) => t)).toEqual(texts);
    expect(rows.map(({ n }) => Number(n))).toEqual([-1, 0, 1, 2, 3, 4]);
    expect(rows.every(({ said }) => said === 'é')).toBe(true);
    const [none] = await open.db.withCompany(owner, (tx) => echo(tx, null, ['a']));
    expect(none?.said).toBeNull();
  });

  it('fails like any other statement and keeps its connection usable', async () => {
    const failed = open.db.withCompany(owner, (tx) => tx.query('SELECT (unnest($1::text[]))::json', [['{']]));
    expect(toApiError(await failed.catch((error: unknown) => error)).status).toBe(400);
    const rows = await open.db.withCompany(owner, (tx) => echo(tx, 'still', ['there']));
    expect(rows).toEqual([expect.objectContaining({ said: 'still', t: 'there' })]);
  });
});
