import { eventually, Platform } from '@signalbox/testing';
import { itemOf, lineOf, World } from './world.js';

let platform: Platform;
let world: World;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'training', 'monitors', 'gateway']);
}, 120_000);
afterAll(() => platform.stop());
beforeEach(async () => {
  world = await World.make(platform);
});

const added = async (id: number, body: object = {}) =>
  (await world.call(`POST /datasets/${id}/added-requests/search`, body)).body;

describe('datasets', () => {
  it('are created, changed, archived and deleted, each change with its event and audit entry', async () => {
    const { id, ...made } = await world.dataset({ tags: ['golden'] });
    expect(made).toMatchObject({ dataset_name: 'Golden', status: 'DRAFT', request_count: 0, tags: ['golden'] });
    await world.data(`PUT /datasets/${id}`, { description: 'orders' });
    expect(await world.call(`POST /datasets/${id}/archive`)).toMatchObject({
      status: 409,
      body: { error: { message: `dataset ${id} is DRAFT, not READY` } },
    });
    await world.data(`POST /datasets/${id}/requests`, { items: [itemOf('one', '1')] });
    expect(await world.data(`POST /datasets/${id}/archive`)).toMatchObject({ status: 'ARCHIVED', request_count: 1 });
    for (const [route, body] of [
      [`PUT /datasets/${id}`, { description: 'no' }],
      [`POST /datasets/${id}/requests`, { items: [itemOf('two', '2')] }],
      [`POST /datasets/${id}/requests/add-by-filter`, {}],
    ] as const)
      expect(await world.call(route, body)).toMatchObject({ status: 409 });
    expect(await world.data(`POST /datasets/${id}/unarchive`)).toMatchObject({ status: 'READY' });
    expect(await world.data(`DELETE /datasets/${id}`)).toEqual({ id, deleted: true });
    expect(await world.call(`GET /datasets/${id}`)).toMatchObject({ status: 404 });
    expect((await world.events('dataset', id)).map(({ event }) => event)).toEqual(
      ['created', 'updated', 'requests_added', 'updated', 'updated', 'deleted'].map((name) => `dataset.${name}`),
    );
    expect(await world.audits('dataset', id)).toEqual(['create', 'update', 'import', 'update', 'update', 'delete']);
  });

  it('have unique names and existing owners, and an intent group that has one stays', async () => {
    const { id: intent_group_id } = await world.group();
    await world.dataset({ intent_group_id });
    expect(await world.call('POST /datasets', { dataset_name: 'Golden', intent_group_id })).toMatchObject({
      status: 409,
    });
    const other = await World.make(platform);
    for (const owner of [{ intent_group_id: (await other.group()).id }, { intent_group_id, application_id: 2 ** 30 }])
      expect(await world.call('POST /datasets', { dataset_name: 'Other', ...owner })).toMatchObject({ status: 404 });
    expect(await world.call(`DELETE /intent-groups/${intent_group_id}`)).toMatchObject({
      status: 409,
      body: { error: { details: [{ field: 'dataset_id' }] } },
    });
    expect((await world.call(`GET /intent-groups/${intent_group_id}/datasets`)).body.pagination.total).toBe(1);
    const found = await world.data('GET /find?q=gold&types=dataset');
    expect(found).toMatchObject([{ type: 'dataset', name: 'Golden' }]);
  });

  it('are listed under the intents of their group and application', async () => {
    const application = await world.data('POST /applications', { application_name: 'Shop' });
    const path = `/applications/${application.id}/intents`;
    const intent = await world.data(`POST ${path}`, { action_type: 'ask' });
    const { intent_group_id } = intent;
    const elsewhere = await world.data('POST /applications', { application_name: 'Bank' });
    await world.dataset({ dataset_name: 'of all', intent_group_id });
    await world.dataset({ dataset_name: 'of the shop', intent_group_id, application_id: application.id });
    await world.dataset({ dataset_name: 'of the bank', intent_group_id, application_id: elsewhere.id });
    const listed = await world.data(`GET ${path}/${intent.id}/datasets?sort=id`);
    expect(listed.map((each: { dataset_name: string }) => each.dataset_name)).toEqual(['of all', 'of the shop']);
  });
});

describe('recorded requests', () => {
  it('become rows once, with their correction, and a row is a copy', async () => {
    const { id } = await world.dataset();
    const [plain, corrected] = [await world.request('plain'), await world.request('corrected')];
    const correction = { choices: [{ message: { role: 'assistant', content: 'better' } }] };
    await world.data(`PUT /requests/${corrected}/response`, correction);
    const body = { request_ids: [corrected, plain] };
    const first = await world.data(`POST /datasets/${id}/requests`, body);
    expect(first).toMatchObject({ added: 2, existing: 0 });
    expect(first.requests).toMatchObject([
      { request_id: corrected, response: { content: 'better' }, is_corrected: true, source: 'REQUEST' },
      { request_id: plain, response: { content: '[simulated] plain' }, is_corrected: false },
    ]);
    expect(await world.data(`POST /datasets/${id}/requests`, body)).toMatchObject({
      added: 0,
      existing: 2,
      requests: [{ request_id: corrected }, { request_id: plain }],
    });
    await world.data(`PUT /requests/${plain}/response`, correction);
    expect((await added(id, { text: '[simulated]' })).data).toMatchObject([{ request_id: plain }]);
    const uncorrected = await world.dataset({ dataset_name: 'Original' });
    const original = await world.data(`POST /datasets/${uncorrected.id}/requests`, { ...body, use_correction: false });
    expect(original.requests[0]).toMatchObject({ response: { content: '[simulated] corrected' }, is_corrected: false });
  });

  it('are all added or none: unknown ones and those of another company are the same 404', async () => {
    const { id } = await world.dataset();
    const foreign = await (await World.make(platform)).request('secret');
    const own = await world.request('own');
    for (const unknown of [foreign, '00000000-0000-4000-8000-000000000000'])
      expect(await world.call(`POST /datasets/${id}/requests`, { request_ids: [own, unknown] })).toMatchObject({
        status: 404,
        body: { error: { message: 'request not found' } },
      });
    expect((await added(id)).pagination.total).toBe(0);
    expect(await world.call(`POST /datasets/${id}/requests`, {})).toMatchObject({ status: 400 });
  });

  it('that are larger than a reply carries are named when added by id, and left out by a filter', async () => {
    const { id } = await world.dataset();
    const small = [await world.request('one'), await world.request('two')];
    const large = await world.request('x'.repeat(8_500_000));
    // A read waits for records that are being stored, but not for as long as a large one takes on a slow machine.
    const named = await eventually('the large request is stored', async () => {
      const reply = await world.call(`POST /datasets/${id}/requests`, { request_ids: [...small, large] });
      return reply.status === 404 ? undefined : reply;
    });
    expect(named.status).toBe(409);
    expect(named.body.error.message).toMatch(`request ${large} cannot become a training row: it has 17`);
    expect(await world.data(`POST /datasets/${id}/requests/add-by-filter`, {})).toEqual({ added: 2, existing: 0 });
  });

  it('are added by a filter, the newest first, and searched among those that are not added yet', async () => {
    const { id } = await world.dataset();
    for (const content of ['apple 1', 'apple 2', 'apple 3', 'pear']) await world.request(content);
    const apples = { text: 'apple' };
    const headers = { 'Idempotency-Key': 'k1' };
    const filter = { ...apples, max: 2 };
    const first = await world.call(`POST /datasets/${id}/requests/add-by-filter`, filter, headers);
    expect(first.body.data).toEqual({ added: 2, existing: 0 });
    const again = await world.call(`POST /datasets/${id}/requests/add-by-filter`, filter, headers);
    expect(again.body.data).toEqual({ added: 2, existing: 0 });
    expect((await added(id, { text: 'apple 1' })).pagination.total).toBe(0);
    const available = await world.call(`POST /datasets/${id}/available-requests/search`, apples);
    expect(available.body.pagination.total).toBe(1);
    expect((await world.call(`POST /datasets/${id}/available-requests/search`, {})).body.pagination.total).toBe(2);
    expect(await world.data(`POST /datasets/${id}/requests/add-by-filter`, apples)).toEqual({ added: 1, existing: 2 });
    const tag = await world.data('POST /tags', { tag_name: 'ripe' });
    const conditions = {
      kind: 'group',
      op: 'AND',
      children: [{ kind: 'condition', source: 'text', operator: 'contains', value: 'apple 2' }],
    };
    const rule = await world.data('POST /tags/rules', { rule_name: 'ripe', tag_id: tag.id, conditions });
    const run = await world.data('POST /tags/runs', { rule_ids: [rule.id] });
    await eventually('the tags', async () => (await world.data(`GET /tags/runs/${run.id}`)).status === 'COMPLETED');
    const [{ request_id }] = (await added(id, { text: 'apple 2' })).data;
    expect((await added(id, { tag_ids: [tag.id] })).data).toMatchObject([{ request_id }]);
  });
});

describe('rows', () => {
  it('are read, changed and deleted; the last one makes the dataset a draft again', async () => {
    const { id } = await world.filled(1);
    const [{ id: row }] = (await added(id)).data;
    const path = `/datasets/${id}/requests/${row}`;
    const changed = { response: { role: 'assistant', content: 'other' }, meta: { by: 'me' } };
    expect(await world.data(`PUT ${path}`, changed)).toMatchObject({ ...changed, source: 'MANUAL' });
    expect(await world.data(`GET ${path}`)).toMatchObject(changed);
    const elsewhere = await world.dataset({ dataset_name: 'Other' });
    expect(await world.call(`GET /datasets/${elsewhere.id}/requests/${row}`)).toMatchObject({ status: 404 });
    expect(await world.data(`DELETE ${path}`)).toEqual({ id: row, deleted: true });
    expect(await world.call(`GET ${path}`)).toMatchObject({ status: 404 });
    expect(await world.data(`GET /datasets/${id}`)).toMatchObject({ status: 'DRAFT', request_count: 0 });
  });

  it('keep the order of the keys of what a change does not name', async () => {
    const { id } = await world.dataset({ dataset_name: 'Ordered' });
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'a' }], name: 'Ann' }];
    const items = [{ messages, response: { role: 'assistant', content: 'b' } }];
    const { requests } = await world.data(`POST /datasets/${id}/requests`, { items });
    const path = `/datasets/${id}/requests/${requests[0].id}`;
    const before = JSON.stringify((await world.data(`GET ${path}`)).messages);
    const { messages: after, meta } = await world.data(`PUT ${path}`, { meta: { by: 'me' } });
    expect([JSON.stringify(after), meta]).toEqual([before, { by: 'me' }]);
  });

  it('are filtered by source, correction and date, and paged', async () => {
    const { id } = await world.filled(3);
    const all = await added(id, { limit: 2, offset: 1, sort: 'id' });
    expect(all).toMatchObject({ pagination: { total: 3, offset: 1, limit: 2 } });
    expect(all.data[0]).toMatchObject({ messages: [{ content: 'question 2' }], bodies_omitted: false });
    for (const nothing of [{ source: 'REQUEST' }, { is_corrected: true }, { end_date: 1 }, { text: 'question 9' }])
      expect((await added(id, nothing)).pagination.total).toBe(0);
    expect(await world.call(`POST /datasets/${id}/added-requests/search`, { source: 'OTHER' })).toMatchObject({
      status: 400,
    });
  });
});

describe('files', () => {
  const upload = (id: number, body: string | FormData, type?: string) =>
    world.call(`POST /datasets/${id}/upload`, body, type ? { 'Content-Type': type } : {});

  it('are uploaded as text or as a form; lines that are no rows are named', async () => {
    const { id } = await world.dataset();
    const tools = [{ type: 'function', function: { name: 'find', parameters: {} } }];
    const file = [
      lineOf('one', '1', { tools }),
      '\n',
      '{"messages":\n',
      `${JSON.stringify({
        messages: [
          { role: 'user', content: 'no answer' },
          { role: 'user', content: '?' },
        ],
      })}\n`,
      lineOf('two', '2', { weight: 1 }),
      lineOf('three', '3').trimEnd(),
    ].join('');
    expect((await upload(id, file, 'text/plain')).body.data).toEqual({
      added: 2,
      rejected: [
        { line: 3, message: 'the line is not valid JSON' },
        { line: 4, message: 'messages must end with an assistant message' },
        { line: 5, message: 'weight is not a known field' },
      ],
    });
    const form = new FormData();
    form.append('file', new Blob([lineOf('four', '4')]), 'rows.jsonl');
    expect((await upload(id, form)).body.data).toEqual({ added: 1, rejected: [] });
    const exported = await world.call(`GET /datasets/${id}/export`);
    const lines = exported.text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        messages: [
          { role: 'user', content: 'one' },
          { role: 'assistant', content: '1' },
        ],
        tools,
      },
      {
        messages: [
          { role: 'user', content: 'three' },
          { role: 'assistant', content: '3' },
        ],
      },
      {
        messages: [
          { role: 'user', content: 'four' },
          { role: 'assistant', content: '4' },
        ],
      },
    ]);
  });

  it('add nothing when they have no good row or too many rows', async () => {
    const { id } = await world.dataset();
    const bad = await upload(id, '{}\n', 'application/jsonl');
    expect(bad).toMatchObject({ status: 400 });
    expect(bad.body.error.message).toContain('has no good row: line 1');
    expect(await upload(id, 'messages\n', 'text/csv')).toMatchObject({ status: 400 });
    const many = await upload(id, '{}\n'.repeat(51_001), 'application/jsonl');
    expect(many).toMatchObject({ status: 400, body: { error: { message: 'file has more than 50000 rows' } } });
    expect(await world.data(`GET /datasets/${id}`)).toMatchObject({ status: 'DRAFT', request_count: 0 });
  });
});
