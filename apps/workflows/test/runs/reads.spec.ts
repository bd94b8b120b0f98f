import { workflowRuns } from '@signalbox/contracts';
import { PAGE } from '../world.js';
import { company, world } from './fixture.js';

const api = workflowRuns.endpoints;

describe('what a run shows', () => {
  it('is its logs, in order, with their levels', async () => {
    const run = await company.runBody(`ctx.log('info', 'one'); ctx.log('warn', { two: 2 }); return 1;`);
    expect(run.logs.map(({ level, message }) => [level, message])).toEqual([
      ['info', 'one'],
      ['warn', '{"two":2}'],
    ]);
    const read = (query: object) =>
      company.world.platform.bus.call(api.listRunLogs, { run_id: run.id, ...PAGE, ...query }, company.world.caller());
    expect(await read({})).toEqual({ data: run.logs, pagination: { total: 2, offset: 0, limit: 25 } });
    expect((await read({ offset: 1 })).data).toEqual(run.logs.slice(1));
    expect((await read({ sort: '-date_created', limit: 1 })).data).toEqual(run.logs.slice(1));
    expect((await read({ search: 'ONE' })).data).toEqual(run.logs.slice(0, 1));
    await expect(read({ run_id: '00000000-0000-4000-8000-000000000000' })).rejects.toMatchObject({ status: 404 });
  });

  it('is a stream of events that can be read from any point', async () => {
    const id = await company.workflow(`ctx.log('info', 'hello'); ctx.emit({ part: 1 }); return 'done';`, {
      execution_mode: 'stream',
    });
    const accepted = await company.execute(id);
    expect(accepted).toEqual({ run_id: expect.any(String), status: 'QUEUED', streams: true });
    const runId = accepted.run_id ?? '';
    await company.ended(runId);
    const { events, ended } = await company.stream(runId);
    expect(ended).toBe(true);
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'run.started'],
      [2, 'run.log'],
      [3, 'run.event'],
      [4, 'run.completed'],
    ]);
    expect(events.map(({ data }) => data)).toMatchObject([
      { workflow_id: id, run_id: runId },
      { level: 'info', message: 'hello' },
      { event: { part: 1 } },
      { output: 'done' },
    ]);
    expect((await company.stream(runId, 3)).events.map(({ seq }) => seq)).toEqual([4]);
    await expect(company.stream(runId, 9)).rejects.toMatchObject({ status: 400 });
  });

  it('has no emitted events outside of stream mode', async () => {
    const run = await company.runBody('ctx.emit(1); return 1;');
    expect((await company.stream(run.id)).events.map(({ type }) => type)).toEqual(['run.started', 'run.completed']);
  });

  it('is in its log, once, that more was emitted than is sent', async () => {
    const id = await company.workflow(
      `const event = 'x'.repeat(65_000); for (let n = 0; n < 140; n++) ctx.emit(event);`,
      {
        execution_mode: 'stream',
      },
    );
    const { run_id = '' } = await company.execute(id);
    const { status, logs } = await company.ended(run_id);
    expect([status, logs.map(({ level, message }) => [level, message])]).toEqual([
      'COMPLETED',
      [['warn', 'further events are not sent: a run may emit 8 MiB of them']],
    ]);
  });

  it('is emitted as lifecycle events', async () => {
    const run = await company.runBody('return 1;');
    const { rows } = await world.platform.sql.query<{ event: string; data: Record<string, unknown> }>(
      `SELECT payload::jsonb->>'event' AS event, payload::jsonb->'data' AS data FROM workflows.outbox
       WHERE subject LIKE 'events.%' AND payload::jsonb->'resource'->>'id' = $1 ORDER BY id`,
      [run.id],
    );
    expect(rows.map(({ event }) => event)).toEqual([
      'workflow_run.queued',
      'workflow_run.started',
      'workflow_run.completed',
    ]);
    expect(rows[2]?.data).toMatchObject({ id: run.id, status: 'COMPLETED', duration_ms: run.duration_ms });
    expect(rows[2]?.data).not.toHaveProperty('output');
  });
});

describe('lists of runs', () => {
  it('have no bodies unless asked, and are filtered', async () => {
    const id = await company.workflow('if (ctx.input === "bad") throw new Error("x"); return ctx.input;');
    const good = await company.run(id, { input: 'good', session_id: 'one' });
    const bad = await company.run(id, { input: 'bad', session_id: 'two' });
    const other = await company.runBody('return 1;');
    const ids = async (filter: object) => {
      const { data } = await company.world.platform.bus.call(
        api.listAllRuns,
        { ...PAGE, ...filter },
        company.world.caller(),
      );
      for (const run of data) expect(run).not.toHaveProperty('output');
      return data.map((run) => run.id);
    };
    expect(await ids({})).toEqual([other.id, bad.id, good.id]);
    expect(await ids({ workflow_id: id, sort: 'date_created' })).toEqual([good.id, bad.id]);
    expect(await ids({ status: ['FAILED'] })).toEqual([bad.id]);
    expect(await ids({ failure_class: ['sandbox'], error_code: ['script_error'] })).toEqual([bad.id]);
    expect(await ids({ session_id: 'one' })).toEqual([good.id]);
    expect(await ids({ text: 'goo' })).toEqual([good.id]);
    expect(await ids({ trigger: ['CHAT'] })).toEqual([]);
    expect(await ids({ version: 'latest' })).toEqual([]);
    const search = { workflow_id: id, ...PAGE, include_body: true };
    const { data } = await company.world.platform.bus.call(api.searchRuns, search, company.world.caller());
    expect(data).toMatchObject([{ input: 'bad' }, { input: 'good', output: 'good' }]);
    const elsewhere = await world.company();
    await expect(elsewhere.get(good.id)).rejects.toMatchObject({ status: 404, message: 'run not found' });
  });
});

it('a page of runs whose bodies are larger than a reply is refused, and its runs are read one by one', async () => {
  const { world } = company;
  const workflow_id = await company.workflow('return null;');
  const input = 'x'.repeat(7_000_000);
  for (let n = 0; n < 2; n += 1) await company.execute(workflow_id, { input });
  const page = (query: object) =>
    world.platform.bus.call(api.searchRuns, { workflow_id, ...PAGE, include_body: true, ...query }, world.caller());
  await expect(page({})).rejects.toMatchObject({
    status: 400,
    message: 'limit must be smaller: the bodies of the page have more than 12582912 bytes',
  });
  expect((await page({ limit: 1 })).data).toMatchObject([{ input }]);
  expect(await page({ offset: 2 })).toMatchObject({ data: [], pagination: { total: 2 } });
  expect((await page({ include_body: false })).data).toHaveLength(2);
});
