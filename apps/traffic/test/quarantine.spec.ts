import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Quarantine, requestLogFolders } from '@signalbox/platform';
import { eventually } from '@signalbox/testing';
import { ask, recorded, rowsOf, startTraffic, type Traffic, withModel } from './traffic.js';

let traffic: Traffic;
let companyId: number;
let quarantine: Quarantine;
beforeAll(async () => {
  traffic = await startTraffic();
  quarantine = new Quarantine(requestLogFolders(traffic.platform.servers.dir).quarantine);
}, 60_000);
beforeEach(async () => {
  ({ companyId } = await withModel(traffic));
  for (const id of await quarantine.ids()) await quarantine.drop(id);
});
afterEach(() => traffic.platform.sql.query('DROP TRIGGER IF EXISTS poison ON traffic.requests'));
afterAll(() => traffic.stop());

/** Makes the database fail with a given error for records with the given reference. */
async function poison(reference: string, code: string): Promise<void> {
  await traffic.platform.sql.query(`
    CREATE OR REPLACE FUNCTION traffic.poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.reference_id = '${reference}' AND NEW.params::text <> '{}' THEN
        RAISE EXCEPTION 'poison' USING ERRCODE = '${code}';
      END IF; RETURN NEW; END $$;
    CREATE TRIGGER poison BEFORE INSERT ON traffic.requests FOR EACH ROW EXECUTE FUNCTION traffic.poison()`);
}

const inQuarantine = async () => Promise.all((await quarantine.ids()).map((id) => quarantine.read(id)));

/** One poisonous record among others. */
async function batch(reference: string) {
  const calls = Array.from({ length: 30 }, (_, n) =>
    ask(traffic, companyId, `${n}`, { model: 'm', ...(n === 17 ? { reference_id: reference } : {}) }),
  );
  const ids = (await Promise.all(calls)).map(({ request_id }) => request_id);
  return { ids, poisonous: ids[17] };
}

describe.each(['XX000', '57P02', '57014'])('a record that Postgres fails on with %s', (code) => {
  it('goes into quarantine alone, the others are stored, and a replay brings its content back', async () => {
    const reference = randomUUID();
    await poison(reference, code);
    const { ids, poisonous } = await batch(reference);
    const rows = await recorded(traffic, companyId, 30);
    expect(rows.map(({ request_id }) => request_id).sort()).toEqual(ids.sort());
    const bare = rows.filter(({ error_message }) => error_message === 'its content cannot be stored');
    expect(bare.map(({ request_id, params }) => [request_id, params])).toEqual([[poisonous, {}]]);
    const [kept, ...others] = await inQuarantine();
    expect(others).toEqual([]);
    expect(kept).toMatchObject({ company_id: companyId, request_id: poisonous });

    await traffic.platform.sql.query('DROP TRIGGER poison ON traffic.requests');
    await quarantine.replay(kept!.id, requestLogFolders(traffic.platform.servers.dir).spool);
    const restored = await eventually('the content is back', async () =>
      (await rowsOf(traffic, companyId)).find((row) => row.request_id === poisonous && row.error_message === null),
    );
    expect(restored.params).toMatchObject({ messages: [{ role: 'user', content: '17' }] });
    expect(await quarantine.ids()).toEqual([]);
    expect(await rowsOf(traffic, companyId)).toHaveLength(30);
  });
});

it('quarantines nothing while the table cannot be written at all', async () => {
  await traffic.platform.sql.query(`
    CREATE OR REPLACE FUNCTION traffic.poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER poison BEFORE INSERT ON traffic.requests FOR EACH ROW EXECUTE FUNCTION traffic.poison()`);
  const waits = async () => (await traffic.platform.logOf('traffic')).split('recorded calls wait').length;
  const before = await waits();
  await ask(traffic, companyId, 'kept', { model: 'm' });
  await eventually('two attempts have failed', async () => (await waits()) >= before + 2);
  expect(await quarantine.ids()).toEqual([]);
  await traffic.platform.sql.query('DROP TRIGGER poison ON traffic.requests');
  const [row] = await recorded(traffic, companyId, 1);
  expect(row?.error_message).toBeNull();
});

it('keeps a damaged line in quarantine', async () => {
  const { spool } = requestLogFolders(traffic.platform.servers.dir);
  await mkdir(spool, { recursive: true });
  await writeFile(join(spool, `${randomUUID()}.1.log`), 'not json\n');
  const [kept] = await eventually('it is in quarantine', async () => {
    const all = await inQuarantine();
    return all.length > 0 ? all : undefined;
  });
  expect(kept).toMatchObject({ line: 'not json', request_id: null, reason: 'the line is damaged' });
});
