import { artifacts, type InputOf, type ManifestWorkflow, workflowManifests, workflows } from '@signalbox/contracts';
import fc from 'fast-check';
import { ECHO, PAGE, World } from '../world.js';
import { platform, world } from './fixture.js';

const api = workflowManifests.endpoints;
type Upload = InputOf<typeof api.uploadWorkflow>;
type Import = InputOf<typeof api.importWorkflows>;

const base64 = (text: string) => Buffer.from(text).toString('base64');
const file = (key: string, text: string) => ({ key, content_type: 'text/plain', content_base64: base64(text) });
const upload = (change: Partial<Upload>, caller = world.caller()) =>
  platform.bus.call(
    api.uploadWorkflow,
    {
      workflow_ref_name: 'bundle',
      artifacts: [],
      publish_version: false,
      bump_type: 'minor',
      version_notes: '',
      ...change,
    },
    caller,
  );
const bring = (manifest: ManifestWorkflow[], change: Partial<Import> = {}, caller = world.caller()) =>
  platform.bus.call(api.importWorkflows, { workflows: manifest, on_conflict: 'error', ...change }, caller);
const take = async (workflow_id: number, version?: string, caller = world.caller()): Promise<ManifestWorkflow> => {
  const { workflows: exported } = await platform.bus.call(
    api.exportWorkflow,
    { workflow_id, ...(version ? { version } : {}) },
    caller,
  );
  return exported[0]!;
};
const listed = async (caller = world.caller()): Promise<string[]> => {
  const { data } = await platform.bus.call(workflows.endpoints.listWorkflows, { ...PAGE, sort: 'id' }, caller);
  return data.map(({ workflow_ref_name }) => workflow_ref_name);
};

describe('an upload', () => {
  it('creates a workflow with artifacts and a version, then changes only what it names', async () => {
    const first = await upload({
      script: ECHO,
      description: 'made',
      timeout_seconds: 7,
      application_name: 'Shop',
      artifacts: [file('data/a.txt', 'a'), file('b.txt', 'b')],
      publish_version: true,
      version_notes: 'the first',
    });
    expect(first).toMatchObject({
      created: true,
      workflow: {
        workflow_ref_name: 'bundle',
        workflow_name: 'bundle',
        application_id: world.applicationId,
        latest_version_number: '1.0.0',
        has_unpublished_changes: false,
      },
      version: { version_number: '1.0.0', is_latest: true, version_notes: 'the first' },
    });
    const { id } = first.workflow;
    const next = await upload({ script: `${ECHO}// two`, artifacts: [file('b.txt', 'changed')] });
    expect(next).toMatchObject({
      created: false,
      version: null,
      workflow: { id, description: 'made', timeout_seconds: 7, has_unpublished_changes: true },
    });
    const list = { workflow_id: id, ...PAGE, sort: 'key' };
    const { data } = await platform.bus.call(artifacts.endpoints.listArtifacts, list, world.caller());
    expect(data).toMatchObject([
      { key: 'b.txt', size_bytes: 7 },
      { key: 'data/a.txt', size_bytes: 1 },
    ]);
    expect((await upload({ publish_version: true, bump_type: 'patch' })).version).toMatchObject({
      version_number: '1.0.1',
    });
    expect(await world.events(id)).toEqual([
      'workflow.created',
      'workflow.version_published',
      'workflow.updated',
      'workflow.version_published',
    ]);
    expect(await world.audits(id)).toEqual(['create', 'publish', 'update', 'publish']);
  });

  it('that fails in any part writes nothing', async () => {
    await expect(upload({ script: 'function execute( {' })).rejects.toMatchObject({ status: 422 });
    await expect(upload({})).rejects.toMatchObject({ status: 400, extras: { details: [{ field: 'script' }] } });
    const bad = { ...file('a', 'a'), content_base64: '*' };
    await expect(upload({ script: ECHO, artifacts: [bad] })).rejects.toMatchObject({
      status: 400,
      extras: { details: [{ field: 'artifacts[0].content_base64' }] },
    });
    const child = await world.workflow({ workflow_ref_name: 'child' });
    // The child has no published version, which only the publish finds out.
    const nesting = { allow_inproc_nesting: true, inproc_nested_refs: ['child'] };
    await expect(upload({ script: ECHO, ...nesting, publish_version: true })).rejects.toMatchObject({ status: 409 });
    expect(await listed()).toEqual(['child']);
    await world.publish(child.id);
    expect(await upload({ script: ECHO, ...nesting, publish_version: true })).toMatchObject({ created: true });
    await expect(upload({ inproc_nested_refs: ['nobody'] })).rejects.toMatchObject({ status: 404 });
  });

  it('of one name twice at once creates one workflow', async () => {
    const both = await Promise.allSettled([upload({ script: ECHO }), upload({ script: ECHO })]);
    const results = both.map((each) =>
      each.status === 'fulfilled' ? 200 : (each.reason as { status: number }).status,
    );
    expect(results.filter((status) => status === 200).length).toBeGreaterThan(0);
    expect(results.every((status) => status === 200 || status === 409)).toBe(true);
    expect(await listed()).toEqual(['bundle']);
  });
});

describe('an import of workflows', () => {
  it('creates workflows that name each other, and their application', async () => {
    const done = await bring([
      {
        workflow_ref_name: 'parent',
        script: ECHO,
        application_name: 'New shop',
        allow_inproc_nesting: true,
        inproc_nested_refs: ['child', 'nobody', 'child@1.0.0'],
      },
      { workflow_ref_name: 'child', script: ECHO, application_name: 'New shop' },
    ]);
    expect(done.workflows).toMatchObject([
      { workflow_ref_name: 'parent', status: 'created' },
      { workflow_ref_name: 'child', status: 'created', warnings: [] },
    ]);
    expect(done.warnings).toEqual([
      { path: 'workflows[0].inproc_nested_refs[1]', message: 'workflow nobody does not exist: the entry is left out' },
      {
        path: 'workflows[0].inproc_nested_refs[2]',
        message: 'workflow child@1.0.0 does not exist: the entry names no version',
      },
    ]);
    const parent = await world.get(done.workflows[0]!.id);
    expect(parent).toMatchObject({ inproc_nested_refs: ['child'], application_name: 'New shop' });
    expect((await world.get(done.workflows[1]!.id)).application_id).toBe(parent.application_id);
    expect(await world.audits(parent.id)).toEqual(['import']);
  });

  it('of what was exported changes nothing', async () => {
    const { id } = await world.workflow({ description: 'x', input_schema: { type: 'object' } });
    const before = await world.get(id, true);
    const done = await bring([await take(id)], { on_conflict: 'update' });
    expect(done.workflows).toEqual([
      { workflow_ref_name: before.workflow_ref_name, id, status: 'unchanged', warnings: [] },
    ]);
    expect(await world.get(id, true)).toEqual(before);
    expect(await world.events(id)).toEqual(['workflow.created']);
  });

  it('changes what a manifest names, and only with on_conflict=update', async () => {
    const { id, workflow_ref_name } = await world.workflow({ description: 'before', timeout_seconds: 9 });
    const manifest = [{ workflow_ref_name, description: 'after' }];
    await expect(bring(manifest)).rejects.toMatchObject({
      status: 409,
      extras: { details: [{ field: 'workflows[0].workflow_ref_name', message: 'exists already' }] },
    });
    expect((await bring(manifest, { on_conflict: 'update' })).workflows).toMatchObject([{ id, status: 'updated' }]);
    expect(await world.get(id)).toMatchObject({ description: 'after', timeout_seconds: 9 });
  });

  it('writes nothing when one of its workflows is refused', async () => {
    const good = { workflow_ref_name: 'good', script: ECHO };
    await expect(bring([good, { workflow_ref_name: 'bad', script: 'nothing' }])).rejects.toMatchObject({
      status: 422,
      extras: { details: [{ field: 'workflows[1].script' }] },
    });
    await expect(bring([good, { workflow_ref_name: 'empty' }])).rejects.toMatchObject({
      status: 400,
      extras: { details: [{ field: 'workflows[1].script', message: 'is required' }] },
    });
    await expect(bring([good, good])).rejects.toMatchObject({ status: 400 });
    expect(await listed()).toEqual([]);
  });

  it('reads the draft or a version, of the own company only', async () => {
    const { id } = await world.workflow({ description: 'one' });
    await world.publish(id);
    await world.change(id, { description: 'two' });
    expect(await take(id)).toMatchObject({ description: 'two', script: ECHO });
    expect(await take(id, '1.0.0')).toMatchObject({ description: 'one', script: ECHO });
    const other = await World.make(platform);
    await expect(take(id, undefined, other.caller())).rejects.toMatchObject({ status: 404 });
  });

  it('of any workflow, exported and imported elsewhere, exports the same', async () => {
    const name = fc.string({ minLength: 1, maxLength: 30 }).filter((text) => text.trim() === text && text !== '');
    const any = fc.record(
      {
        workflow_name: name,
        description: fc.string({ maxLength: 50 }),
        application_name: fc.option(fc.constantFrom('Shop', 'Other shop')),
        language: fc.constant('javascript' as const),
        execution_mode: fc.constantFrom('sync' as const, 'async' as const, 'stream' as const),
        transform_session: fc.option(fc.constant('function transform_session(s) { return s; }')),
        input_schema: fc.option(fc.constant({ type: 'object', properties: { a: { type: 'string' } } })),
        output_schema: fc.option(fc.constant({ type: ['string', 'null'] })),
        allow_inproc_nesting: fc.boolean(),
        inproc_nested_refs: fc.subarray(['leaf', 'flow', 'leaf@1.0.0']),
        timeout_seconds: fc.integer({ min: 1, max: 3600 }),
        memory_mb: fc.integer({ min: 16, max: 512 }),
        status: fc.constantFrom('ENABLED' as const, 'DISABLED' as const),
        meta: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.integer()),
      },
      { requiredKeys: [] },
    );
    const elsewhere = await World.make(platform);
    for (const each of [world, elsewhere]) await each.publish((await each.workflow({ workflow_ref_name: 'leaf' })).id);
    const property = fc.asyncProperty(any, fc.constantFrom('a', 'b'), async (fields, mark) => {
      const given = { ...fields, workflow_ref_name: 'flow', script: `${ECHO}// ${mark}` };
      const made = await bring([given], { on_conflict: 'update' });
      const exported = await take(made.workflows[0]!.id);
      expect(exported).toMatchObject(given);
      const copy = await bring([exported], { on_conflict: 'update' }, elsewhere.caller());
      expect(copy.warnings).toEqual([]);
      expect(await take(copy.workflows[0]!.id, undefined, elsewhere.caller())).toEqual(exported);
    });
    await fc.assert(property, { numRuns: 15 });
  }, 60_000);
});
