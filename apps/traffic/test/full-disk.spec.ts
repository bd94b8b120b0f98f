import { eventually } from '@signalbox/testing';
import { SmallDisk } from './small-disk.js';
import { ask, drained, recorded, refusal, rowsOf, startTraffic, type Traffic, withModel } from './traffic.js';

const disk = SmallDisk.mount(64);
const withDisk = disk ? describe : describe.skip;
const LONG = 'x'.repeat(20_000);

withDisk('the request log on a disk that runs full', () => {
  let traffic: Traffic;
  let companyId: number;
  beforeAll(async () => {
    traffic = await startTraffic({ env: { DATA_DIR: disk!.dir } });
  }, 60_000);
  // The service measures its disk once a second: it may still refuse calls for the disk of the test before.
  beforeEach(async () => {
    ({ companyId } = await withModel(traffic));
    await taken();
    // Draining later would free room that a case has filled.
    await drained(disk!.dir);
    ({ companyId } = await withModel(traffic));
  });
  afterEach(async () => {
    traffic.world.answerWith(({ messages }) => ({ text: `echo ${messages.length}` }));
    await disk!.free();
  });
  afterAll(async () => {
    await traffic.stop();
    await disk!.unmount();
  });

  const call = (text = LONG) => ask(traffic, companyId, text, { model: 'm' });
  const taken = () =>
    eventually('calls are taken', async () => (await refusal(call())).status === 200).then(() => undefined);
  const refused = () => eventually('calls are refused', async () => (await refusal(call())).status === 503);

  /** So many calls whose provider answers when `answer` is called. */
  async function underWay(count: number) {
    let answer: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (answer = resolve));
    traffic.world.answerWith(async () => (await released, { text: LONG }));
    const before = traffic.world.calls.length;
    const calls = Array.from({ length: count }, () => call());
    const outcomes = Promise.all(
      calls.map((each) =>
        each.then(
          ({ request_id }) => request_id,
          (error: { status: number }) => error.status,
        ),
      ),
    );
    await eventually('the provider is asked', () => traffic.world.calls.length === before + count);
    return { answer, outcomes };
  }

  /** Resolves when a write of a record has failed since the last look. */
  async function writeFailed(): Promise<() => Promise<unknown>> {
    const failures = async () => (await traffic.platform.logOf('traffic')).split('could not be written').length;
    const before = await failures();
    return () => eventually('a write fails', async () => (await failures()) > before);
  }

  it('refuses calls before their provider is asked, and takes them again when there is room', async () => {
    await taken();
    await disk!.fill(40 * 1024 * 1024);
    await refused();
    const asked = traffic.world.calls.length;
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await refusal(call())).status));
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect(traffic.world.calls).toHaveLength(asked);
    await disk!.free();
    await taken();
  });

  it('withholds the answer of a call under way until its record is written', async () => {
    const { answer, outcomes } = await underWay(5);
    await disk!.fill();
    const failure = await writeFailed();
    answer();
    await failure();
    await disk!.free();
    const ids = await outcomes;
    expect(ids.every((id) => typeof id === 'string')).toBe(true);
    const rows = await recorded(traffic, companyId, 5);
    expect(rows.map(({ request_id }) => request_id).sort()).toEqual(ids.sort());
  });

  it('answers 503 when a record cannot be written for some seconds, and continues to record afterwards', async () => {
    const { answer, outcomes } = await underWay(5);
    await disk!.fill();
    answer();
    expect(await outcomes).toEqual([503, 503, 503, 503, 503]);
    traffic.world.answerWith(() => ({ text: 'short' }));
    const asked = traffic.world.calls.length;
    expect((await refusal(call())).status).toBe(503);
    expect(traffic.world.calls).toHaveLength(asked);
    await disk!.free();
    await taken();
    const rows = await recorded(traffic, companyId, 1);
    const answered = traffic.world.calls.filter(({ status }) => status === 200).length - asked;
    await eventually('all are recorded', async () => (await rowsOf(traffic, companyId)).length === answered);
    expect(JSON.stringify(rows[0]?.response)).toContain('short');
  });
});
