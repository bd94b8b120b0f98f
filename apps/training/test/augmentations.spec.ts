import { eventually, type ModelProvider, type ModelRequest, Platform, startModelProvider } from '@signalbox/testing';
import { World } from './world.js';

let platform: Platform;
let server: ModelProvider;
let world: World;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'training', 'gateway']);
}, 120_000);
afterAll(() => platform.stop());
beforeEach(async () => {
  world = await World.make(platform);
  server = await startModelProvider({ apiKey: 'sk-augment-0123456789' });
});
afterEach(() => server.close());

async function model(): Promise<string> {
  const provider = {
    provider_name: 'lab',
    kind: 'openai_compatible',
    base_url: server.url,
    api_key: 'sk-augment-0123456789',
  };
  const { id: provider_id } = await world.data('POST /models/providers', provider);
  await world.data('POST /models', { model_name: 'writer', provider_id });
  return 'writer';
}

const ended = (dataset: number, id: number) =>
  eventually(`augmentation ${id} has ended`, async () => {
    const found = await world.data(`GET /datasets/${dataset}/augmentations/${id}`);
    return found.status === 'COMPLETED' || found.status === 'FAILED' ? found : undefined;
  });
const rowsOf = async (dataset: number, body: object = {}) =>
  (await world.call(`POST /datasets/${dataset}/added-requests/search`, { sort: 'id', limit: 100, ...body })).body;
const questionIn = ({ messages }: ModelRequest): string => {
  const said = messages.at(-1) as { content: string };
  return (JSON.parse(said.content) as { messages: { content: string }[] }).messages[0]?.content ?? '';
};

it('writes the reasoning of each row, and counts the answers that are none', async () => {
  const { id } = await world.filled(10);
  server.answerWith((request) =>
    questionIn(request) === 'question 3' ? 'nonsense' : JSON.stringify({ why: `of ${questionIn(request)}`, more: 1 }),
  );
  const schema = [{ field: 'why', instruction: 'why the answer is right' }];
  const made = await world.data(`POST /datasets/${id}/augmentations`, {
    type: 'reasoning',
    schema,
    model: await model(),
  });
  expect(made).toMatchObject({ dataset_id: id, status: 'CREATED', type: 'reasoning', schema, produced: 0, failed: 0 });
  expect(await ended(id, made.id)).toMatchObject({
    status: 'COMPLETED',
    produced: 9,
    failed: 1,
    error_message: 'the model gave no usable answer',
    completed_at: expect.any(Number),
  });
  const { data } = await rowsOf(id);
  expect(data.map(({ reasoning }: { reasoning: unknown }) => reasoning)).toEqual(
    Array.from({ length: 10 }, (_, at) => (at === 2 ? null : { why: `of question ${at + 1}` })),
  );
  expect((await world.events('augmentation', made.id)).map(({ event }) => event)).toEqual(['augmentation.completed']);
  expect((await world.call(`GET /datasets/${id}/augmentations`)).body.pagination.total).toBe(1);
});

it('adds variations of each row, and of no variation', async () => {
  const { id } = await world.filled(3);
  server.answerWith((request) => {
    const reply = JSON.stringify({ variations: [`${questionIn(request)} a`, `${questionIn(request)} b`] });
    // Models put a fence around it, whatever they are asked for.
    return questionIn(request).endsWith('2') ? `Here it is:\n\`\`\`json\n${reply}\n\`\`\`` : reply;
  });
  const made = await world.data(`POST /datasets/${id}/augmentations`, {
    type: 'variation',
    count: 2,
    model: await model(),
  });
  expect(await ended(id, made.id)).toMatchObject({ status: 'COMPLETED', produced: 6, failed: 0 });
  const { data, pagination } = await rowsOf(id, { source: 'AUGMENTED' });
  expect(pagination.total).toBe(6);
  expect(data[0]).toMatchObject({
    messages: [{ role: 'user', content: 'question 1 a' }],
    response: { content: 'answer 1' },
    meta: { variation_of: expect.any(Number) },
  });
  expect(await world.data(`GET /datasets/${id}`)).toMatchObject({ request_count: 9 });
});

it('stores what can be stored of an answer, and counts one that makes its row too large', async () => {
  const { id } = await world.filled(3);
  const name = await model();
  server.answerWith((request) => {
    if (questionIn(request).endsWith('1')) return String.raw`{"variations":["zero\u0000, half \ud800"]}`;
    return JSON.stringify({ variations: [questionIn(request).endsWith('2') ? 'x'.repeat(1_048_576) : 'short'] });
  });
  const made = await world.data(`POST /datasets/${id}/augmentations`, { type: 'variation', count: 1, model: name });
  expect(await ended(id, made.id)).toMatchObject({ status: 'COMPLETED', produced: 2, failed: 1 });
  const { data } = await rowsOf(id, { source: 'AUGMENTED' });
  expect(data.map(({ messages }: ModelRequest) => (messages[0] as { content: string }).content)).toEqual([
    'zero, half \ufffd',
    'short',
  ]);
  server.answerWith(() => String.raw`{"why":"zero\u0000"}`);
  const schema = [{ field: 'why', instruction: 'why' }];
  const reasoned = await world.data(`POST /datasets/${id}/augmentations`, { type: 'reasoning', schema, model: name });
  expect(await ended(id, reasoned.id)).toMatchObject({ status: 'COMPLETED', produced: 5, failed: 0 });
});

it('fails when the model never answers, and works with the simulated one by default', async () => {
  const { id } = await world.filled(2);
  server.answerWith(() => ({ error: { status: 400, message: 'no such thing' } }));
  const bad = await world.data(`POST /datasets/${id}/augmentations`, { type: 'variation', model: await model() });
  expect(await ended(id, bad.id)).toMatchObject({ status: 'FAILED', produced: 0, failed: 2 });
  expect((await world.events('augmentation', bad.id)).map(({ event }) => event)).toEqual(['augmentation.failed']);
  const schema = [{ field: 'why', instruction: 'why' }];
  const made = await world.data(`POST /datasets/${id}/augmentations`, { type: 'reasoning', schema });
  expect(await ended(id, made.id)).toMatchObject({ status: 'COMPLETED', model: 'simulated-echo', produced: 2 });
});

it('pays no answer twice when its worker is lost', async () => {
  const { id } = await world.filled(3);
  const name = await model();
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  server.answerWith(async (request) => {
    await held;
    return JSON.stringify({ variations: [`${questionIn(request)} a`] });
  });
  await platform.restartService('training', { WORK_LEASE_SECONDS: '5' });
  try {
    const made = await world.data(`POST /datasets/${id}/augmentations`, { type: 'variation', count: 1, model: name });
    await eventually('the model is asked about each row', () => server.calls.length === 3);
    await platform.service('training').kill();
    answer();
    await platform.service('training').start();
    expect(await ended(id, made.id)).toMatchObject({ status: 'COMPLETED', produced: 3, failed: 0 });
    expect(server.calls).toHaveLength(3);
  } finally {
    await platform.restartService('training', {});
  }
}, 120_000);

it('fails by no fault of the provider when its dataset is archived meanwhile', async () => {
  const { id } = await world.filled(2);
  let archived = (): void => undefined;
  const archiving = new Promise<void>((resolve) => (archived = resolve));
  server.answerWith(async (request) => {
    await archiving;
    return JSON.stringify({ variations: [questionIn(request)] });
  });
  const made = await world.data(`POST /datasets/${id}/augmentations`, { type: 'variation', model: await model() });
  await eventually('the model is asked', () => server.calls.length > 0);
  await world.data(`POST /datasets/${id}/archive`);
  archived();
  expect(await ended(id, made.id)).toMatchObject({ status: 'FAILED', produced: 0 });
  const { rows } = await platform.sql.query(
    'SELECT failure_class, error_code FROM training.augmentations WHERE company_id = $1',
    [world.companyId],
  );
  expect(rows).toEqual([{ failure_class: 'adapter', error_code: 'invalid_config' }]);
});

it('needs a known model, fields for a reasoning, and a dataset that is not archived', async () => {
  const { id } = await world.filled(1);
  const path = `POST /datasets/${id}/augmentations`;
  expect(await world.call(path, { type: 'reasoning' })).toMatchObject({ status: 400 });
  expect(await world.call(path, { type: 'variation', model: 'nobody' })).toMatchObject({ status: 404 });
  await world.data(`POST /datasets/${id}/archive`);
  expect(await world.call(path, { type: 'variation' })).toMatchObject({ status: 409 });
  const other = await world.filled(1, { dataset_name: 'Other' });
  const made = await world.data(`POST /datasets/${other.id}/augmentations`, { type: 'variation' });
  expect(await world.call(`GET /datasets/${id}/augmentations/${made.id}`)).toMatchObject({ status: 404 });
  await ended(other.id, made.id);
});
