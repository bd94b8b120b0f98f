import { artifacts } from '@signalbox/contracts';
import { type RunCompany, RunWorld } from './run-world.js';
import { PAGE } from './world.js';

const api = artifacts.endpoints;
let world: RunWorld;
let company: RunCompany;
beforeAll(async () => {
  world = await RunWorld.start();
}, 120_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await world.company();
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
const put = (workflow_id: number, key: string, text: string, content_type = 'text/plain') =>
  world.platform.bus.call(
    api.putArtifact,
    { workflow_id, key, content_base64: base64(text), content_type },
    company.world.caller(),
  );

describe('the artifacts of a workflow', () => {
  it('are stored by key, replaced, listed, read and deleted', async () => {
    const id = await company.workflow('return 1;');
    const first = await put(id, 'data/prices.csv', 'a;1');
    expect(first).toMatchObject({ workflow_id: id, run_id: null, key: 'data/prices.csv', size_bytes: 3 });
    const second = await put(id, 'data/prices.csv', 'a;22');
    expect(second.sha256).not.toBe(first.sha256);
    const list = { workflow_id: id, ...PAGE };
    expect((await world.platform.bus.call(api.listArtifacts, list, company.world.caller())).data).toEqual([second]);
    const path = { workflow_id: id, artifact_id: second.id };
    expect(await world.platform.bus.call(api.getArtifact, path, company.world.caller())).toEqual(second);
    expect(await world.platform.bus.call(api.getArtifactContent, path, company.world.caller())).toMatchObject({
      contentType: 'text/plain',
      body: base64('a;22'),
      encoding: 'base64',
      headers: { 'Content-Disposition': 'attachment; filename="prices.csv"' },
    });
    const elsewhere = await world.company();
    await expect(world.platform.bus.call(api.getArtifact, path, elsewhere.world.caller())).rejects.toMatchObject({
      status: 404,
    });
    await world.platform.bus.call(api.deleteArtifact, path, company.world.caller());
    await expect(world.platform.bus.call(api.getArtifact, path, company.world.caller())).rejects.toMatchObject({
      status: 404,
    });
  });

  it('are at most 100, and their content is base64', async () => {
    const id = await company.workflow('return 1;');
    for (let n = 0; n < 100; n++) await put(id, `f${n}`, 'x');
    await expect(put(id, 'one-more', 'x')).rejects.toMatchObject({ status: 409 });
    await put(id, 'f7', 'replaced');
    const bad = { workflow_id: id, key: 'k', content_base64: 'a', content_type: 'text/plain' };
    await expect(world.platform.bus.call(api.putArtifact, bad, company.world.caller())).rejects.toMatchObject({
      status: 400,
    });
  }, 60_000);
});

describe('ctx.artifacts', () => {
  it('reads files of the workflow and writes files of the run', async () => {
    const id = await company.workflow(`const before = await ctx.artifacts.get('prices');
      const made = await ctx.artifacts.put('report.json', JSON.stringify({ ok: true }), { content_type: 'application/json' });
      const again = await ctx.artifacts.get('report.json');
      await ctx.artifacts.put('prices', 'mine');
      return { before, made, again: again.text, own: (await ctx.artifacts.get('prices')).text, none: await ctx.artifacts.get('none') };`);
    await put(id, 'prices', 'a;1');
    const run = await company.run(id);
    expect(run.output).toMatchObject({
      before: { key: 'prices', content_type: 'text/plain', size_bytes: 3, text: 'a;1', base64: base64('a;1') },
      made: { key: 'report.json', size_bytes: 11, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      again: '{"ok":true}',
      own: 'mine',
      none: null,
    });
    const ofRun = { run_id: run.id, ...PAGE, sort: 'key' };
    const { data } = await world.platform.bus.call(api.listRunArtifacts, ofRun, company.world.caller());
    expect(data).toMatchObject([
      { key: 'prices', run_id: run.id },
      { key: 'report.json', run_id: run.id, content_type: 'application/json' },
    ]);
    const ofWorkflow = { workflow_id: id, ...PAGE };
    const own = await world.platform.bus.call(api.listArtifacts, ofWorkflow, company.world.caller());
    expect(own.data).toMatchObject([{ key: 'prices', size_bytes: 3 }]);
    expect((await company.run(id)).output).toMatchObject({ before: { text: 'a;1' } });
  });

  it('refuses keys that are none', async () => {
    const run = await company.runBody(`return ctx.artifacts.put('../x', 'y').then(() => 'stored', (e) => e.name);`);
    expect(run.output).toBe('TypeError');
  });
});
