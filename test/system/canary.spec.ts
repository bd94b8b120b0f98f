import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CanaryRun, type CanarySearch } from '@signalbox/testing';

let run: CanaryRun;
let searchStorage: CanarySearch;
beforeAll(async () => {
  run = await CanaryRun.start();
  await run.run();
  searchStorage = await run.searchStorage();
}, 400_000);
afterAll(() => run.stop(), 60_000);

describe('more than two hundred secrets of agents and workflows, used in every supported way', () => {
  it('all reach their targets', () => {
    expect(run.canaries.values.length).toBeGreaterThanOrEqual(200);
    expect(run.notReceived()).toEqual([]);
  });

  it('and every task and run has its expected outcome', () => {
    const { refused, tried, cancelled, killed, ...others } = run.endings;
    expect(new Set([...(refused ?? []), ...(tried ?? [])])).toEqual(new Set(['no task']));
    expect(new Set(cancelled)).toEqual(new Set(['CANCELLED']));
    expect(new Set(killed)).toEqual(new Set(['FAILED secrets_unavailable']));
    expect(new Set(Object.values(others).flat())).toEqual(new Set(['COMPLETED']));
    expect(run.surprises).toEqual([]);
  });

  it('are judged in every way, with verdicts and with judges that fail', () => {
    const { alert, report, check, evaluation, sentinel, ...others } = run.verdicts;
    expect(new Set(alert)).toEqual(new Set(['open']));
    expect(new Set(report)).toEqual(new Set(['200']));
    expect(new Set(others['monitor direct'])).toEqual(new Set(['FAULT']));
    expect(new Set(others['monitor model'])).toEqual(new Set(['ERROR', 'FAULT']));
    for (const verdicts of [sentinel, evaluation, check]) expect(verdicts).toContain('FAULT');
    for (const verdicts of [[...(sentinel ?? []), ...(evaluation ?? [])], check]) expect(verdicts).toContain('ERROR');
    expect(others['test run of AGENT']?.length).toBe(4);
    expect(others['test run of MODEL']?.length).toBe(4);
  });

  it('are in no reply, stream, prompt, metric or span', () => {
    expect(run.observed.matches).toEqual([]);
    expect(Object.keys(run.observed.searched).sort()).toEqual(['metrics', 'models', 'replies', 'spans', 'streams']);
  });

  it('are in no table, file of Postgres, write-ahead log, bus store, object or log', () => {
    expect(searchStorage.matches).toEqual([]);
    expect(Object.keys(searchStorage.searched)).toEqual(
      expect.arrayContaining(['dump', 'postgres', 'nats', 'logs', 'objects']),
    );
    for (const bytes of Object.values(searchStorage.searched)) expect(bytes).toBeGreaterThan(0);
  });

  it('would be found in each of these places', async () => {
    const [value = ''] = run.canaries.values;
    const { platform } = run;
    const bytes = Buffer.from(`secret: ${value}`);
    await platform.sql.query(
      `UPDATE agents.tasks SET metadata = to_jsonb($1::text) WHERE id IN (SELECT id FROM agents.tasks LIMIT 1)`,
      [bytes.toString('base64')],
    );
    await appendFile(join(platform.servers.dir, 'logs', 'agents.log'), [...value].reverse().join(''));
    // The stream replies when it has stored the message.
    await platform.connection.nats.request('events.1.planted', bytes.toString('hex'));
    await mkdir(join(platform.servers.dir, 'objects'), { recursive: true });
    await writeFile(join(platform.servers.dir, 'objects', 'planted'), encodeURIComponent(value));
    expect((await run.searchStorage()).places()).toEqual(['dump', 'logs', 'nats', 'objects', 'postgres']);
  }, 60_000);
});
