import { Platform } from '@signalbox/testing';
import { itemOf, World } from './world.js';

let platform: Platform;
let world: World;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'training', 'test-runs', 'gateway']);
}, 120_000);
afterAll(() => platform.stop());
beforeEach(async () => {
  world = await World.make(platform);
});

const composition = async (change: Record<string, unknown> = {}) =>
  world.data('POST /compositions', {
    composition_name: 'Mix',
    intent_group_id: change.intent_group_id ?? (await world.group('group of a mix')).id,
    ...change,
  });
const linesOf = (text: string) =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { messages: { content: string }[] }]));
const questionsIn = async (id: number, split: string) =>
  linesOf((await world.call(`GET /compositions/${id}/export?split=${split}`)).text).map(
    ({ messages }) => messages[0]?.content,
  );

describe('compositions', () => {
  it('are created, changed and deleted, each change with its event and audit entry', async () => {
    const [one, two] = [await world.filled(4), await world.filled(2, { dataset_name: 'Other' })];
    const made = await composition({ entries: [{ dataset_id: one.id }] });
    const { id } = made;
    expect(made).toMatchObject({
      status: 'READY',
      request_count: 4,
      validation_split: 0.1,
      seed: 0,
      entries: [{ dataset_id: one.id, weight: 1, max_requests: null }],
    });
    const path = `/compositions/${id}/datasets`;
    expect(await world.data(`POST ${path}`, { dataset_id: two.id, weight: 2 })).toMatchObject({ request_count: 8 });
    expect(await world.call(`POST ${path}`, { dataset_id: two.id })).toMatchObject({ status: 409 });
    expect(await world.data(`PUT ${path}/${two.id}`, { max_requests: 3 })).toMatchObject({ request_count: 7 });
    expect(await world.data(`DELETE ${path}/${one.id}`)).toMatchObject({ request_count: 3, entries: [{}] });
    expect(await world.call(`DELETE ${path}/${one.id}`)).toMatchObject({ status: 404 });
    expect(await world.data(`PUT /compositions/${id}`, { entries: [] })).toMatchObject({ status: 'DRAFT' });
    expect((await world.call('GET /compositions?status=READY')).body.pagination.total).toBe(0);
    expect(await world.data(`DELETE /compositions/${id}`)).toEqual({ id, deleted: true });
    expect((await world.events('composition', id)).map(({ event }) => event)).toEqual([
      'composition.created',
      ...Array.from({ length: 4 }, () => 'composition.updated'),
      'composition.deleted',
    ]);
    expect(await world.audits('composition', id)).toHaveLength(6);
  });

  it('name each dataset once, and only what exists in the company', async () => {
    const { id: dataset_id, intent_group_id } = await world.filled(1);
    const twice = { intent_group_id, entries: [{ dataset_id }, { dataset_id }] };
    expect(await world.call('POST /compositions', { composition_name: 'Mix', ...twice })).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'entries[1].dataset_id' }] } },
    });
    const other = await World.make(platform);
    const foreign = await other.filled(1);
    for (const body of [
      { intent_group_id, entries: [{ dataset_id: foreign.id }] },
      { intent_group_id: foreign.intent_group_id },
      { intent_group_id, exclude_test_set_ids: [2 ** 30] },
    ])
      expect(await world.call('POST /compositions', { composition_name: 'Mix', ...body })).toMatchObject({
        status: 404,
      });
  });

  it('keep their datasets and their intent group from being deleted', async () => {
    const { id: dataset_id } = await world.filled(1);
    const { id, intent_group_id } = await composition({ entries: [{ dataset_id }] });
    expect(await world.call(`DELETE /datasets/${dataset_id}`)).toMatchObject({
      status: 409,
      body: { error: { details: [{ field: 'composition_id', message: `composition ${id} contains the dataset` }] } },
    });
    expect(await world.call(`DELETE /intent-groups/${intent_group_id}`)).toMatchObject({ status: 409 });
    expect(await world.data(`GET /intent-groups/${intent_group_id}/compositions`)).toMatchObject([{ id }]);
    await world.data(`DELETE /compositions/${id}`);
    await world.data(`DELETE /datasets/${dataset_id}`);
    await world.data(`DELETE /intent-groups/${intent_group_id}`);
  });
});

describe('a mix', () => {
  it('is previewed and exported alike, the same for the same seed', async () => {
    const [one, two] = [await world.filled(20), await world.filled(10, { dataset_name: 'Other' })];
    const entries = [{ dataset_id: one.id }, { dataset_id: two.id, weight: 0.5 }];
    const { id } = await composition({ entries, validation_split: 0.2, seed: 5 });
    const preview = await world.data(`POST /compositions/${id}/preview`, { sample_size: 3 });
    expect(preview.per_dataset).toEqual([
      { dataset_id: one.id, count: 20 },
      { dataset_id: two.id, count: 5 },
    ]);
    expect(preview.train_count + preview.validation_count).toBe(25);
    expect(preview.samples).toHaveLength(3);
    expect(preview.samples[0]).toMatchObject({ split: 'train', messages: [{ role: 'user' }, { role: 'assistant' }] });
    const [train, validation] = [await questionsIn(id, 'train'), await questionsIn(id, 'validation')];
    expect([train.length, validation.length]).toEqual([preview.train_count, preview.validation_count]);
    // Both datasets have questions 1 to 10: an input is on one side alone.
    expect(train.filter((question) => validation.includes(question))).toEqual([]);
    expect(await questionsIn(id, 'train')).toEqual(train);
    await world.data(`PUT /compositions/${id}`, { seed: 6 });
    expect(await questionsIn(id, 'train')).not.toEqual(train);
  });

  it('leaves out what is in test sets, whitespace ignored', async () => {
    const { id: dataset_id } = await world.filled(3);
    const set = await world.data('POST /unified-test-sets', { name: 'Exam' });
    const messages = [{ role: 'user', content: '  question \n 2' }];
    const item = await world.data(`POST /unified-test-sets/${set.id}/items`, { input: { messages } });
    const text = await world.data(`POST /unified-test-sets/${set.id}/items`, { input: { input: 'question 3' } });
    const { id, ...made } = await composition({ entries: [{ dataset_id }], exclude_test_set_ids: [set.id] });
    expect(made).toMatchObject({ request_count: 1, status: 'READY' });
    const preview = await world.data(`POST /compositions/${id}/preview`);
    expect(preview).toMatchObject({ train_count: 1, excluded_count: 2 });
    expect(preview.excluded_overlap.map((each: { test_set_item_id: number }) => each.test_set_item_id).sort()).toEqual(
      [item.id, text.id].sort(),
    );
    expect(await questionsIn(id, 'train')).toEqual(['question 1']);
    const kept = await world.data(`PUT /compositions/${id}`, { exclude_test_set_ids: [] });
    expect(kept).toMatchObject({ request_count: 3 });
  });

  it('exports rows that are larger than a page together', async () => {
    const { id: dataset_id } = await world.dataset();
    const answer = 'x'.repeat(300_000);
    const items = (from: number) => [1, 2, 3].map((n) => itemOf(`question ${from + n}`, answer));
    for (const from of [0, 3, 6, 9]) await world.data(`POST /datasets/${dataset_id}/requests`, { items: items(from) });
    const { id } = await composition({ entries: [{ dataset_id, weight: 2 }], validation_split: 0 });
    const questions = await questionsIn(id, 'train');
    expect(questions).toHaveLength(24);
    expect(new Set(questions).size).toBe(12);
    expect(linesOf((await world.call(`GET /datasets/${dataset_id}/export`)).text)).toHaveLength(12);
  });
});
