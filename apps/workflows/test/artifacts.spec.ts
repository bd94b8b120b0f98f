import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { artifacts, FILE_PART_BYTES, type FileUpload, workflows } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
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

/** The content of an artifact with the headers of its download. */
async function contentOf(path: { workflow_id: number; artifact_id: number }) {
  const { headers, chunks } = await world.platform.bus.stream(api.getArtifactContent, path, company.world.caller());
  const bytes: Uint8Array[] = [];
  for await (const chunk of chunks) bytes.push(Buffer.from(chunk as Uint8Array));
  return { headers, bytes: Buffer.concat(bytes) };
}

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
    expect(await contentOf(path)).toEqual({
      bytes: Buffer.from('a;22'),
      headers: {
        'Content-Type': 'text/plain',
        'Content-Length': '4',
        'Content-Disposition': 'attachment; filename="prices.csv"',
        'X-Content-Type-Options': 'nosniff',
        ETag: `"${second.sha256}"`,
      },
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

  it('are deleted with it', async () => {
    const [id, other] = [await company.workflow('return 1;'), await company.workflow('return 1;')];
    const { id: artifact_id } = await put(id, 'file', 'text');
    const kept = { workflow_id: other, artifact_id: (await put(other, 'file', 'text')).id };
    const path = { workflow_id: id, artifact_id };
    const { deleteWorkflow } = workflows.endpoints;
    await world.platform.bus.call(deleteWorkflow, { workflow_id: id, force: false }, company.world.caller());
    const missing = { status: 404, message: 'artifact not found' };
    const read = world.platform.bus.call(api.getArtifact, path, company.world.caller());
    await expect(read).rejects.toMatchObject(missing);
    await expect(contentOf(path)).rejects.toMatchObject(missing);
    expect((await contentOf(kept)).bytes.toString()).toBe('text');
    const { rows } = await world.platform.sql.query(
      'SELECT 1 FROM workflows.artifacts WHERE workflow_id = $1 AND deleted_at IS NULL',
      [id],
    );
    expect(rows).toEqual([]);
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

describe('large artifacts', () => {
  const part = (upload_id: string, number: number, bytes: Buffer) =>
    world.platform.bus.call(
      api.storeArtifactPart,
      { upload_id, part: number, text: bytes.toString('base64') },
      company.world.caller(),
    );
  const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  const complete = (workflow_id: number, upload: FileUpload, caller = company.world.caller()) =>
    world.platform.bus.call(api.putArtifact, { workflow_id, key: 'big.bin', upload }, caller);
  const sql = <T extends object>(text: string, values: unknown[] = []) =>
    world.platform.sql.query<T>(text, values).then(({ rows }) => rows);

  it('are stored in parts, by any process, and only when all parts are there', async () => {
    const id = await company.workflow('return (await ctx.artifacts.get("big.bin")).size_bytes;');
    const parts = [randomBytes(FILE_PART_BYTES), randomBytes(FILE_PART_BYTES), randomBytes(77)];
    const bytes = Buffer.concat(parts);
    const upload = {
      id: randomUUID(),
      parts: 3,
      size_bytes: bytes.length,
      content_type: 'no type',
      sha256: hashOf(bytes),
    };
    for (const number of [2, 0, 0]) await part(upload.id, number, parts[number]!);
    await expect(complete(id, upload)).rejects.toMatchObject({ status: 400 });
    await part(upload.id, 1, parts[1]!);
    await expect(complete(id, { ...upload, size_bytes: bytes.length + 1 })).rejects.toMatchObject({ status: 400 });
    const stranger = await world.company();
    const theirs = await stranger.workflow('return 1;');
    await expect(complete(theirs, upload, stranger.world.caller())).rejects.toMatchObject({ status: 400 });
    const made = await complete(id, upload);
    expect(made).toMatchObject({
      size_bytes: bytes.length,
      sha256: upload.sha256,
      content_type: 'application/octet-stream',
    });
    const stored = await contentOf({ workflow_id: id, artifact_id: made.id });
    expect(hashOf(stored.bytes)).toBe(upload.sha256);
    expect(stored.headers).toMatchObject({ 'Content-Length': String(bytes.length) });
    expect((await company.run(id)).output).toBe(bytes.length);
    // A script reads what fits into a reply.
    await sql('UPDATE workflows.artifacts SET size_bytes = 7000000 WHERE id = $1', [made.id]);
    expect(await company.run(id)).toMatchObject({
      status: 'FAILED',
      error_message: expect.stringContaining('RangeError'),
    });
  });

  it('leave no parts and no objects behind when nothing refers to them', async () => {
    const id = await company.workflow('return 1;');
    const { companyId } = company.world;
    const { workflow_ref_name } = await company.world.get(id);
    const bytes = randomBytes(1000);
    const upload = { id: randomUUID(), parts: 1, size_bytes: 1000, content_type: null, sha256: hashOf(bytes) };
    await part(upload.id, 0, bytes);
    const made = await complete(id, upload);
    const kept = await put(id, 'kept', 'kept');
    const living = { ...upload, id: randomUUID(), sha256: hashOf(Buffer.from('living')), size_bytes: 6 };
    await part(living.id, 0, Buffer.from('living'));
    const path = { workflow_id: id, key: 'living', upload: living };
    await world.platform.bus.call(api.putArtifact, path, company.world.caller());
    const abandoned = { ...upload, id: randomUUID() };
    await part(abandoned.id, 0, randomBytes(10));
    const parts = () =>
      sql<{ upload_id: string }>('SELECT upload_id FROM workflows.artifact_parts WHERE company_id = $1', [companyId]);
    const objects = () => objectsOf(join(world.platform.servers.dir, 'objects', 'workflows', String(companyId)));
    expect((await objects()).length).toBe(5);
    await world.platform.bus.call(
      api.deleteArtifact,
      { workflow_id: id, artifact_id: made.id },
      company.world.caller(),
    );
    await company.world.change(id, { script: 'function execute() { return 2; }' });
    const { script_sha256 } = await company.world.get(id);
    const old = async () => {
      for (const path of await objects()) await utimes(path, 1, 1);
      await sql('UPDATE workflows.object_sweep SET began_at = 0');
    };
    // Sweeps begin with the process, at most one in an hour: none begins between `prepare` and the start.
    const restart = async (prepare: () => Promise<unknown>) => {
      await world.platform.service('workflows').kill('SIGKILL');
      await prepare();
      await world.platform.service('workflows').start();
    };
    await restart(() => sql('UPDATE workflows.artifact_parts SET date_created = 0 WHERE company_id = $1', [companyId]));
    await eventually('the parts are deleted', async () => (await parts()).length === 1);
    expect(await parts()).toEqual([{ upload_id: living.id }]);
    await restart(old);
    const expected = [kept.sha256, living.sha256, script_sha256].sort();
    await eventually('the objects are deleted', async () => {
      const names = (await objects()).map((path) => path.split('/').at(-1)).sort();
      return names.join() === expected.join();
    });
    expect(await company.world.get(id, true)).toMatchObject({
      workflow_ref_name,
      script: expect.stringContaining('2'),
    });
  }, 150_000);
});

/** The files below a folder. */
async function objectsOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((each) => each.isFile()).map((each) => join(each.parentPath ?? each.path, each.name));
}

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

  it('wait for no other run of the workflow, and are refused when their run has ended', async () => {
    let isOpen = false;
    world.target.answerWith(async () => {
      await eventually('the gate opens', () => isOpen, 60_000);
      return { body: '{}' };
    });
    const gate = `if (ctx.input) await ctx.http.fetch('${world.target.url}/gate', { timeout_ms: 60000 });`;
    const id = await company.workflow(`${gate} await ctx.artifacts.put('file', 'text'); return 'stored';`, {
      timeout_seconds: 120,
    });
    const sql = await world.platform.sql.connect();
    const query = async (text: string, values: unknown[] = []) => (await world.platform.sql.query(text, values)).rows;
    try {
      // As a write of a file of the workflow does.
      await sql.query('BEGIN');
      await sql.query('SELECT 1 FROM workflows.workflows WHERE id = $1 FOR NO KEY UPDATE', [id]);
      expect((await company.run(id)).output).toBe('stored');
      await sql.query('COMMIT');

      const before = world.target.calls.length;
      const { run_id = '' } = await company.execute(id, { input: 1, mode: 'async' });
      await eventually('the script waits at the gate', () => world.target.calls.length > before);
      await sql.query('BEGIN');
      await sql.query(`UPDATE workflows.runs SET status = 'CANCELLED', completed_at = 1 WHERE id = $1`, [run_id]);
      isOpen = true;
      const file = `SELECT 1 FROM workflows.artifacts WHERE run_id = $1`;
      await eventually('the file and the timeline wait for the run, or the file is there', async () => {
        const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%runs%'`;
        return (await query(waiting)).length >= 2 || (await query(file, [run_id])).length > 0;
      });
      await sql.query('COMMIT');
      await eventually('its worker has left the run', async () => {
        const done = 'SELECT 1 FROM workflows.work WHERE ref = $1 AND done_at IS NOT NULL';
        return (await query(done, [run_id])).length > 0;
      });
      expect(await query(file, [run_id])).toEqual([]);
    } finally {
      sql.release();
    }
  }, 90_000);

  it('refuses keys that are none', async () => {
    const run = await company.runBody(`return ctx.artifacts.put('../x', 'y').then(() => 'stored', (e) => e.name);`);
    expect(run.output).toBe('TypeError');
  });
});
