import { setTimeout as pause } from 'node:timers/promises';
import { type ApiError, testRuns } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { asked, company, conduct, itemOf, platform, program, setId, signalbox } from './fixture.js';

describe('the call of a program that runs elsewhere', () => {
  const { endpoints } = testRuns;
  const caller = () => platform.caller(company.companyId);
  let release: () => void;
  beforeEach(() => {
    program.calls.length = 0;
    const released = new Promise<void>((resolve) => (release = resolve));
    program.answerWith(async () => {
      await released;
      return conduct.answer();
    });
  });
  afterEach(() => {
    release();
    program.answerWith(asked);
  });
  /** Starts a run whose item waits for the program. */
  const started = async (): Promise<number> => {
    const consumer_config = { url: program.url, output_path: 'answer.text', timeout_ms: 300_000 };
    const created = { test_set_id: setId, consumer_kind: 'EXTERNAL', consumer_config, auto_score: false, repeats: 1 };
    const { id } = await platform.bus.call(endpoints.createTestRun, { ...created, meta: {} } as never, caller());
    await platform.bus.call(endpoints.prepareTestRun, { id }, caller());
    await platform.bus.call(endpoints.executeTestRun, { id, concurrency: 1, secrets: {} }, caller());
    await eventually('the program is called', () => program.calls.length === 1);
    return id;
  };

  const completed = (id: number, limitMs?: number) =>
    eventually(
      'the run is completed',
      async () => (await platform.bus.call(endpoints.getTestRun, { id }, caller())).status === 'COMPLETED',
      limitMs,
    );

  it('is made once when the process of its run stops meanwhile', async () => {
    const id = await started();
    const process = platform.service('test-runs');
    const ended = process.kill('SIGTERM');
    const isStopping = () =>
      platform.bus.call(endpoints.getTestRun, { id }, caller()).then(
        () => false,
        ({ kind }: ApiError) => kind === 'unavailable',
      );
    await eventually('the process stops', isStopping);
    release();
    await ended;
    await process.start();
    await completed(id);
    expect(await itemOf(id)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
    expect(program.calls).toHaveLength(1);
  }, 120_000);

  it('is made once when its answer is lost with the process of its run', async () => {
    const id = await started();
    const process = platform.service('test-runs');
    await process.kill();
    await process.start();
    release();
    await completed(id, 90_000);
    expect(await itemOf(id)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
    expect(program.calls).toHaveLength(1);
  }, 120_000);

  it('is made again under the same key when the process that makes it is lost', async () => {
    const id = await started();
    const process = platform.service('agents');
    await process.kill();
    await process.start();
    release();
    await completed(id, 90_000);
    expect(await itemOf(id)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
    const [first, second, ...more] = program.calls.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect([second, more]).toEqual([first, []]);
  }, 120_000);

  it('has its verdict although the gateway is away for longer than a call is usually repeated', async () => {
    const evaluated = signalbox(['eval', '--set', 'Orders', '--url', program.url, '--output-path', 'answer.text']);
    await eventually('the program is called', () => program.calls.length === 1);
    const gateway = platform.service('gateway');
    await gateway.kill();
    await pause(4000);
    await gateway.start();
    release();
    expect(await evaluated).toMatchObject({ code: 0, output: expect.stringContaining('passed') as string });
  }, 120_000);

  it('ends when its run is cancelled', async () => {
    const id = await started();
    await platform.bus.call(endpoints.cancelTestRun, { id }, caller());
    await eventually('the program has lost its caller', () => program.calls[0]?.endedAt !== null);
    expect(await itemOf(id)).toMatchObject({ status: 'FAILED', error_code: 'cancelled' });
  });
});
