import { randomUUID } from 'node:crypto';
import {
  agents,
  type ImportedItem,
  type InputOf,
  requests,
  testSetImports,
  testSetItems,
  testSets,
} from '@signalbox/contracts';
import { PAGE, World } from '../world.js';
import { platform, world } from './fixture.js';

const { endpoints } = testSetImports;

type Bulk = InputOf<typeof endpoints.importBulk>['sources'];

const importRequest = (test_set_id: number, request_id: string, use_correction = true, meta = {}) =>
  platform.bus.call(endpoints.importRequest, { test_set_id, request_id, use_correction, meta }, world.caller());
const importTask = (test_set_id: number, agent_task_id: string, change: object = {}): Promise<ImportedItem> => {
  const input = { test_set_id, agent_task_id, flatten_variant: 'agent_first_user_message', meta: {}, ...change };
  return platform.bus.call(endpoints.importAgentTask, input as never, world.caller());
};
const importBulk = (test_set_id: number, sources: Bulk) =>
  platform.bus.call(endpoints.importBulk, { test_set_id, sources }, world.caller());
const itemsOf = async (test_set_id: number) => {
  const query = { ...PAGE, limit: 100, sort: 'position', test_set_id };
  return (await platform.bus.call(testSetItems.endpoints.listTestSetItems, query, world.caller())).data;
};

describe('the import of a request', () => {
  it('keeps its messages, its answer and where it comes from', async () => {
    const { id } = await world.set();
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Where is my order?' },
    ];
    const request_id = await world.request('', { messages, application: 'Shop', intent: 'track' });
    const { item, created } = await importRequest(id, request_id, true, { from: 'production' });
    expect(created).toBe(true);
    expect(item).toMatchObject({
      position: 0,
      source_type: 'REQUEST',
      source_id: request_id,
      flatten_variant: null,
      input: { messages },
      expected_output: { message: { role: 'assistant', content: expect.stringContaining('Where is my order?') } },
      baseline_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      meta: { from: 'production' },
    });
    expect((await world.audits('test_set_item', item.id)).map(({ action }) => action)).toEqual(['import']);
  });

  it('takes the correction unless the input excludes it', async () => {
    const request_id = await world.request('Where is my order?');
    const choices = [{ message: { role: 'assistant' as const, content: 'On its way.' } }];
    await platform.bus.call(requests.endpoints.correctRequest, { request_id, choices }, world.caller());
    const [corrected, original] = [await world.set(), await world.set({ name: 'Other' })];
    const expectedIn = async (set: number, use: boolean) =>
      (await importRequest(set, request_id, use)).item.expected_output?.message?.content;
    expect(await expectedIn(corrected.id, true)).toBe('On its way.');
    expect(await expectedIn(original.id, false)).toContain('Where is my order?');
  });

  it('happens once, whatever is asked later and even when the request is gone', async () => {
    const { id } = await world.set();
    const request_id = await world.request('hello');
    const first = await importRequest(id, request_id);
    expect(await importRequest(id, request_id, false, { other: true })).toEqual({ item: first.item, created: false });
    await platform.bus.call(requests.endpoints.deleteRequest, { request_id }, world.caller());
    expect(await importRequest(id, request_id)).toEqual({ item: first.item, created: false });
    const other = await world.set({ name: 'Other' });
    await expect(importRequest(other.id, request_id)).rejects.toMatchObject({ status: 404 });
    // A deleted item may be imported again, when its source still exists.
    const again = await world.request('again');
    const { item } = await importRequest(id, again);
    await platform.bus.call(
      testSetItems.endpoints.deleteTestSetItem,
      { test_set_id: id, item_id: item.id },
      world.caller(),
    );
    expect((await importRequest(id, again)).created).toBe(true);
  });

  it('leaves one item under fifty concurrent calls', async () => {
    const { id } = await world.set();
    const request_id = await world.request('hello');
    const replies = await Promise.all(Array.from({ length: 50 }, () => importRequest(id, request_id)));
    expect(replies.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(replies.map(({ item }) => item.id)).size).toBe(1);
    const set = await platform.bus.call(testSets.endpoints.getTestSet, { test_set_id: id }, world.caller());
    expect(set.item_count).toBe(1);
  });

  it('is refused for an unknown set or request, one of another company', async () => {
    const { id } = await world.set();
    const other = await World.make(platform);
    const foreign = await other.request('hello');
    for (const request_id of [foreign, randomUUID()])
      await expect(importRequest(id, request_id)).rejects.toMatchObject({ status: 404, message: 'request not found' });
    await expect(importRequest(2_000_000_000, await world.request('hello'))).rejects.toMatchObject({
      status: 404,
      message: 'test set not found',
    });
  });

  it('keeps the baseline: an imported item can be overridden, not changed', async () => {
    const { id: test_set_id } = await world.set();
    const { item } = await importRequest(test_set_id, await world.request('hello'));
    const path = { test_set_id, item_id: item.id };
    const update = (change: object) =>
      platform.bus.call(testSetItems.endpoints.updateTestSetItem, { ...path, ...change }, world.caller());
    await expect(update({ expected_output: { text: 'no' } })).rejects.toMatchObject({ status: 409 });
    await expect(update({ input: { input: 1 } })).rejects.toMatchObject({ status: 409 });
    // The same values are no change, and meta may change.
    await expect(update({ input: item.input, meta: { seen: true } })).resolves.toMatchObject({ meta: { seen: true } });
    const sub = { ...path, expected_output: { text: 'no' } };
    const overridden = await platform.bus.call(testSetItems.endpoints.setResponseSub, sub, world.caller());
    expect(overridden).toMatchObject({
      expected_output: item.expected_output,
      baseline_hash: item.baseline_hash,
      effective_expected_output: { text: 'no' },
    });
  });
});

describe('the import of an agent task', () => {
  it('flattens its conversation by the variant, with the system prompt it was run with', async () => {
    const agent = await world.agent({ system_prompt: 'You are kind.' });
    const messages = [
      { role: 'system', content: 'From the client' },
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'answer' },
      { role: 'user', content: 'second' },
    ];
    const task = await world.task(agent.id, { messages });
    const change = { agent_id: agent.id, system_prompt: 'You are strict.' };
    await platform.bus.call(agents.endpoints.updateAgent, change, world.caller());
    const [plain, prompted] = [await world.set(), await world.set({ name: 'Prompted' })];
    const first = await importTask(plain.id, task.id);
    expect(first).toMatchObject({
      created: true,
      item: {
        source_type: 'AGENT_TASK',
        source_id: task.id,
        flatten_variant: 'agent_first_user_message',
        input: { messages: [{ role: 'user', content: 'first' }] },
        expected_output: { text: task.output?.content },
      },
    });
    const flatten_variant = 'agent_first_user_message_with_system_prompt';
    expect((await importTask(prompted.id, task.id, { flatten_variant })).item).toMatchObject({
      flatten_variant,
      input: {
        messages: [
          { role: 'system', content: 'You are kind.' },
          { role: 'user', content: 'first' },
        ],
      },
    });
    // Another variant of the same task is the same item.
    expect(await importTask(plain.id, task.id, { flatten_variant })).toEqual({ item: first.item, created: false });
  });

  it('expects the structured output of a task that has one', async () => {
    const agent = await world.agent();
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const response_format = { type: 'json_schema', json_schema: { name: 'n', schema } };
    const task = await world.task(agent.id, { message: 'hello', response_format });
    const { id } = await world.set();
    expect((await importTask(id, task.id)).item.expected_output).toEqual({ json: task.structured_output });
  });
});

describe('the import of a workflow run', () => {
  it('keeps its input and expects its output, once', async () => {
    const { id: test_set_id } = await world.set();
    const workflow_run_id = await world.workflowRun({ input: { order: 7 } });
    const importRun = () =>
      platform.bus.call(endpoints.importWorkflowRun, { test_set_id, workflow_run_id, meta: {} }, world.caller());
    const first = await importRun();
    expect(first).toMatchObject({
      created: true,
      item: {
        source_type: 'WORKFLOW_RUN',
        source_id: workflow_run_id,
        flatten_variant: null,
        input: { input: { order: 7 } },
        expected_output: { json: { order: 7 } },
      },
    });
    expect(await importRun()).toEqual({ item: first.item, created: false });
    const sources: Bulk = [{ source_type: 'WORKFLOW_RUN', source_id: workflow_run_id }];
    expect(await importBulk(test_set_id, sources)).toEqual({ created: 0, existing: 1, failed: [] });
  });

  it('is refused for an unknown run', async () => {
    const { id: test_set_id } = await world.set();
    const input = { test_set_id, workflow_run_id: randomUUID(), meta: {} };
    const unknown = platform.bus.call(endpoints.importWorkflowRun, input, world.caller());
    await expect(unknown).rejects.toMatchObject({ status: 404 });
  });
});

describe('the bulk import', () => {
  it('imports each source once, in order, and names what it cannot import', async () => {
    const { id } = await world.set();
    const known = await world.request('known');
    await importRequest(id, known);
    const [one, two] = [await world.request('one'), await world.request('two')];
    const task = await world.task((await world.agent()).id, { message: 'three' });
    const foreign = await (await World.make(platform)).request('foreign');
    const sources: Bulk = [
      { source_type: 'REQUEST', source_id: two },
      { source_type: 'AGENT_TASK', source_id: task.id },
      { source_type: 'REQUEST', source_id: known },
      { source_type: 'REQUEST', source_id: foreign },
      { source_type: 'REQUEST', source_id: one },
      { source_type: 'REQUEST', source_id: two },
    ];
    expect(await importBulk(id, sources)).toEqual({
      created: 3,
      existing: 2,
      failed: [{ source_type: 'REQUEST', source_id: foreign, message: 'request not found' }],
    });
    expect((await itemsOf(id)).map(({ source_id }) => source_id)).toEqual([known, two, task.id, one]);
    expect(await importBulk(id, sources)).toMatchObject({ created: 0, existing: 5 });
    expect((await world.audits('test_set', id)).map(({ action }) => action)).toEqual(['create', 'import']);
  });

  it('leaves one item per source under fifty concurrent calls', async () => {
    const { id } = await world.set();
    const ids = await Promise.all(Array.from({ length: 8 }, (_, n) => world.request(`question ${n}`)));
    const sources: Bulk = ids.map((source_id) => ({ source_type: 'REQUEST', source_id }));
    const mixed = (n: number): Bulk => [...sources.slice(n % 8), ...sources.slice(0, n % 8)];
    const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => importBulk(id, mixed(n))));
    expect(replies.reduce((sum, { created }) => sum + created, 0)).toBe(8);
    for (const { created, existing, failed } of replies) expect([created + existing, failed]).toEqual([8, []]);
    const items = await itemsOf(id);
    expect(items.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(items.map(({ source_id }) => source_id).sort()).toEqual([...ids].sort());
  });

  it('names the sources that the set has no room for', async () => {
    const { id } = await world.set();
    await platform.sql.query('UPDATE "test-runs".test_sets SET item_count = 9999 WHERE id = $1', [id]);
    const ids = [await world.request('one'), await world.request('two')];
    const sources: Bulk = ids.map((source_id) => ({ source_type: 'REQUEST', source_id }));
    expect(await importBulk(id, sources)).toEqual({
      created: 1,
      existing: 0,
      failed: [{ ...sources[1], message: 'the test set can hold at most 10000 items' }],
    });
  });
});
