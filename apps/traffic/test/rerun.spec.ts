import { requests } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { ask, recorded, refusal, startTraffic, type Traffic, withModel } from './traffic.js';

const LOCK = 4711;
let traffic: Traffic;
beforeAll(async () => {
  traffic = await startTraffic();
}, 60_000);
afterAll(() => traffic.stop());

/** Has the insert of records with this reference wait for a lock that the caller holds. */
async function holdUp(reference: string): Promise<void> {
  await traffic.platform.sql.query(`
    CREATE FUNCTION traffic.hold_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.reference_id = '${reference}' THEN PERFORM pg_advisory_xact_lock(${LOCK}); END IF; RETURN NEW; END $$;
    CREATE TRIGGER hold_up BEFORE INSERT ON traffic.requests FOR EACH ROW EXECUTE FUNCTION traffic.hold_up()`);
}

const waiting = async () => {
  const { rows } = await traffic.platform.sql.query(
    `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${LOCK} AND NOT granted`,
  );
  return rows.length > 0;
};

it('inserts and returns the row of a rerun in one transaction, while records in the spool wait', async () => {
  const { platform } = traffic;
  const { companyId } = await withModel(traffic);
  const { request_id } = await ask(traffic, companyId, 'first', { model: 'm' });
  await recorded(traffic, companyId, 1);
  await holdUp('stuck');
  const holder = await platform.sql.connect();
  try {
    await holder.query(`SELECT pg_advisory_lock(${LOCK})`);
    await ask(traffic, companyId, 'second', { model: 'm', reference_id: 'stuck' });
    await eventually('the spool waits', waiting);
    const { rerunRequest, getRequest } = requests.endpoints;
    const again = await platform.bus.call(rerunRequest, { request_id }, platform.caller(companyId));
    expect(again).toMatchObject({
      id: expect.any(Number),
      rerun_of: request_id,
      status: 'COMPLETED',
      params: { messages: [{ role: 'user', content: 'first' }] },
      response: { choices: [{ message: { role: 'assistant' } }] },
    });
    expect(await waiting()).toBe(true);
    const found = await platform.bus.call(getRequest, { request_id: again.request_id }, platform.caller(companyId));
    expect(found).toEqual(again);
    // The spool has a copy, which must not make a second row.
    await holder.query(`SELECT pg_advisory_unlock(${LOCK})`);
    const rows = await recorded(traffic, companyId, 3);
    expect(rows.filter((row) => row['request_id'] === again.request_id)).toHaveLength(1);
  } finally {
    holder.release();
  }
});

it('is paid once when the database is lost after its answer, and the call is repeated under its key', async () => {
  const { platform, world } = traffic;
  const { companyId } = await withModel(traffic);
  const { request_id } = await ask(traffic, companyId, 'first', { model: 'm' });
  await recorded(traffic, companyId, 1);
  await platform.sql.query(`
    CREATE SEQUENCE traffic.reruns;
    CREATE FUNCTION traffic.lose_rerun() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      IF nextval('traffic.reruns') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN NEW; END $$;
    CREATE TRIGGER lose_rerun BEFORE UPDATE ON traffic.idempotency FOR EACH ROW
      WHEN (NEW.company_id = ${companyId} AND NEW.effect IS NOT NULL) EXECUTE FUNCTION traffic.lose_rerun()`);
  const idempotency = { key: 'once', route: 'POST /x', bodyHash: 'h' };
  const rerun = () =>
    platform.bus.call(requests.endpoints.rerunRequest, { request_id }, platform.caller(companyId, { idempotency }));
  world.calls.length = 0;
  try {
    expect((await refusal(rerun())).status).toBe(503);
    await recorded(traffic, companyId, 2);
    expect(await rerun()).toMatchObject({ rerun_of: request_id, status: 'COMPLETED' });
  } finally {
    await platform.sql.query('DROP FUNCTION traffic.lose_rerun CASCADE; DROP SEQUENCE traffic.reruns');
  }
  expect(world.calls).toHaveLength(1);
  expect(await recorded(traffic, companyId, 2)).toHaveLength(2);
});

it('does not make the call of a request that does not exist', async () => {
  const { platform } = traffic;
  const { companyId } = await withModel(traffic);
  traffic.world.calls.length = 0;
  const unknown = { request_id: '00000000-0000-4000-8000-000000000001' };
  const call = platform.bus.call(requests.endpoints.rerunRequest, unknown, platform.caller(companyId));
  expect((await refusal(call)).status).toBe(404);
  expect(traffic.world.calls).toEqual([]);
});
