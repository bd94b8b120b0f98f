import { execFileSync } from 'node:child_process';
import {
  type EvaluatedRun,
  type RunItem,
  testRuns,
  testSetImports,
  testSetItems,
  testSets,
} from '@signalbox/contracts';
import { parse as csvRows } from 'csv-parse/sync';
import { Platform } from '@signalbox/testing';
import { PAGE, World } from './world.js';

let platform: Platform;
let world: World;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'test-runs', 'gateway']);
}, 90_000);
afterAll(() => platform.stop());
beforeEach(async () => {
  world = await World.make(platform);
});

interface Reply {
  status: number;
  body: {
    data?: { created: number; skipped: number; errors: { line: number; message: string }[] };
    error?: { message: string };
  };
}

const api = () => platform.api(world.key);

async function send(set: number, body: string | FormData | Uint8Array, type?: string, more = {}): Promise<Reply> {
  const headers = { ...(type ? { 'Content-Type': type } : {}), ...more };
  const { status, body: reply } = await api().send('POST', `/unified-test-sets/${set}/import-file`, body, headers);
  return { status, body: reply };
}

const exported = (set: number, format: 'jsonl' | 'csv') =>
  api().send('GET', `/unified-test-sets/${set}/export?format=${format}`);

const itemsOf = async (test_set_id: number) => {
  const query = { ...PAGE, limit: 100, sort: 'position', test_set_id };
  return (await platform.bus.call(testSetItems.endpoints.listTestSetItems, query, world.caller())).data;
};

const bodiesOf = async (set: number) =>
  (await itemsOf(set)).map(({ input, expected_output, effective_expected_output, meta, source_type, source_id }) => ({
    input,
    expected_output,
    effective_expected_output,
    meta,
    source_type,
    source_id,
  }));

const parts = async (): Promise<number> => {
  const { rows } = await platform.sql.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM "test-runs".upload_parts WHERE company_id = $1',
    [world.companyId],
  );
  return rows[0]?.n ?? -1;
};

const line = (question: string, more: object = {}): string =>
  `${JSON.stringify({ input: { messages: [{ role: 'user', content: question }] }, ...more })}\n`;

describe('the import of a file', () => {
  it('adds the rows of JSONL in their order, and names the lines that are none', async () => {
    const { id } = await world.set();
    const file = [
      line('one', { expected_output: { text: 'yes' }, meta: { a: 1 } }),
      '\n',
      '{"input":\n',
      line('two', { expected_output: { text: 'yes', json: 1 } }),
      '{"expected_output":{"text":"no input"}}\n',
      line('three', { unknown: 1 }),
      line('four', { response_sub: { expected_output: { json: { n: 1 } }, note: 'why' } }).trimEnd(),
    ].join('');
    const { status, body } = await send(id, file, 'application/jsonl');
    expect(status).toBe(200);
    expect(body.data).toEqual({
      created: 2,
      skipped: 0,
      errors: [
        { line: 3, message: 'the line is not valid JSON' },
        { line: 4, message: 'expected_output.json must be the only one of text, json and message' },
        { line: 5, message: 'input is required' },
        { line: 6, message: 'unknown is not a known field' },
      ],
    });
    const items = await itemsOf(id);
    expect(items.map(({ position, input }) => [position, input?.messages?.[0]?.content])).toEqual([
      [0, 'one'],
      [1, 'four'],
    ]);
    expect(items[1]).toMatchObject({ response_sub: { note: 'why' }, effective_expected_output: { json: { n: 1 } } });
    const set = await platform.bus.call(testSets.endpoints.getTestSet, { test_set_id: id }, world.caller());
    expect(set.item_count).toBe(2);
    expect(await parts()).toBe(0);
    expect(await world.events('test_set_item', items[0]!.id)).toEqual(['test_set_item.added']);
    expect((await world.audits('test_set', id)).map(({ action }) => action)).toEqual(['create', 'import']);
  });

  it('adds the rows of CSV, in JSON cells or in plain ones', async () => {
    const { id } = await world.set();
    const file = [
      '\uFEFFmessage,expected_text,input,expected_output,meta',
      '"Where is ""my"" order?\nIt is late.",on its way,,,',
      ',,"{""input"":{""order"":7}}","{""json"":[1]}","{""a"":1}"',
      'x,,,{bad,',
      'a,b,c,d,e,f',
    ].join('\r\n');
    const { body } = await send(id, file, 'text/csv; charset=utf-8');
    expect(body.data).toEqual({
      created: 2,
      skipped: 0,
      errors: [
        { line: 5, message: 'expected_output is not valid JSON' },
        { line: 6, message: 'the row has 6 cells, not 5' },
      ],
    });
    expect(await bodiesOf(id)).toMatchObject([
      {
        input: { messages: [{ role: 'user', content: 'Where is "my" order?\nIt is late.' }] },
        expected_output: { text: 'on its way' },
        meta: {},
      },
      { input: { input: { order: 7 } }, expected_output: { json: [1] }, meta: { a: 1 } },
    ]);
  });

  it.each([
    ['an unknown column', 'message,colour\nx,red\n', 'has an unknown column "colour"'],
    ['no input', 'expected_text\nx\n', 'needs a column input or message'],
    ['an open quote', 'message\n"x\n', 'is not valid CSV'],
  ])('is refused for CSV with %s', async (_name, file, problem) => {
    const { id } = await world.set();
    const { status, body } = await send(id, file, 'text/csv');
    expect([status, body.error?.message]).toEqual([400, expect.stringContaining(problem)]);
    expect(await itemsOf(id)).toEqual([]);
  });

  it('takes the file of a form, whose name says what it is', async () => {
    const { id } = await world.set();
    const form = (name: string, text: string, file: string) => {
      const data = new FormData();
      data.append(name, new Blob([text]), file);
      return data;
    };
    expect((await send(id, form('file', line('one'), 'set.jsonl'))).body.data?.created).toBe(1);
    expect((await send(id, form('file', 'message\ntwo\n', 'set.CSV'))).body.data?.created).toBe(1);
    expect((await itemsOf(id)).map(({ input }) => input?.messages?.[0]?.content)).toEqual(['one', 'two']);
    expect(await send(id, form('other', line('one'), 'set.jsonl'))).toMatchObject({ status: 400 });
    const empty = new FormData();
    empty.append('file', 'text');
    expect(await send(id, empty)).toMatchObject({ status: 400 });
    const broken = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n{"input"';
    expect(await send(id, broken, 'multipart/form-data; boundary=x')).toMatchObject({ status: 400 });
    expect(await send(id, broken, 'multipart/form-data')).toMatchObject({ status: 400 });
  });

  it('refuses other media types, what is not text, and unknown sets', async () => {
    const { id } = await world.set();
    expect(await send(id, '{}', 'application/json')).toMatchObject({ status: 415 });
    expect(await send(id, Buffer.from([0x7b, 0xff]), 'application/jsonl')).toMatchObject({ status: 400 });
    expect(await send(id, Buffer.from('{"input":"\0"}'), 'application/jsonl')).toMatchObject({ status: 400 });
    expect(await send(2_000_000_000, line('one'), 'application/jsonl')).toMatchObject({ status: 404 });
    const other = await World.make(platform);
    const theirs = await other.set();
    expect(await send(theirs.id, line('one'), 'application/jsonl')).toMatchObject({ status: 404 });
  });

  it('skips the rows whose source the set has an item of', async () => {
    const { id } = await world.set();
    const row = line('one', { source_type: 'REQUEST', source_id: 'r1' });
    const file = row + row + line('two', { source_type: 'REQUEST', source_id: 'r2' }) + line('three');
    expect((await send(id, file, 'application/jsonl')).body.data).toEqual({ created: 3, skipped: 1, errors: [] });
    expect((await send(id, file, 'application/jsonl')).body.data).toEqual({ created: 1, skipped: 3, errors: [] });
    const wrong = line('one', { source_type: 'REQUEST' });
    expect((await send(id, wrong, 'application/jsonl')).body.data?.errors).toEqual([
      { line: 1, message: 'source_id must be present with REQUEST' },
    ]);
  });

  it('names no source that a later import would take for its own', async () => {
    const { id } = await world.set();
    const request_id = await world.request('the real one');
    const forged = line('forged', { source_type: 'REQUEST', source_id: request_id });
    expect((await send(id, forged, 'application/jsonl')).body.data?.created).toBe(1);
    expect((await itemsOf(id))[0]).toMatchObject({ source_type: 'MANUAL', source_id: null, baseline_hash: null });
    const imported = await platform.bus.call(
      testSetImports.endpoints.importRequest,
      { test_set_id: id, request_id, use_correction: true, meta: {} },
      world.caller(),
    );
    expect(imported).toMatchObject({ created: true, item: { source_id: request_id } });
    expect(JSON.stringify(imported.item.input)).toContain('the real one');
  });

  it('happens once under an idempotency key, and not at all with another file', async () => {
    const { id } = await world.set();
    const key = { 'Idempotency-Key': 'once' };
    const first = await send(id, line('one'), 'application/jsonl', key);
    expect(await send(id, line('one'), 'application/jsonl', key)).toEqual(first);
    expect(await send(id, line('two'), 'application/jsonl', key)).toMatchObject({ status: 422 });
    expect((await itemsOf(id)).length).toBe(1);
  });

  it('reports the first hundred errors', async () => {
    const { id } = await world.set();
    const { body } = await send(id, `${'x\n'.repeat(150)}${line('one')}`, 'application/x-ndjson');
    expect(body.data?.created).toBe(1);
    expect(body.data?.errors.map((error) => error.line)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  });

  it('may bring a set beyond what calls may add, up to its own limit', async () => {
    const { id } = await world.set();
    await platform.sql.query('UPDATE "test-runs".test_sets SET item_count = 99999 WHERE id = $1', [id]);
    const { body } = await send(id, line('one') + line('two'), 'application/jsonl');
    expect(body.data).toEqual({
      created: 1,
      skipped: 0,
      errors: [{ line: 2, message: 'the test set can hold at most 100000 items' }],
    });
  });
});

describe('the export of a test set', () => {
  it.each(['jsonl', 'csv'] as const)('as %s brings the same items, in order, into another set', async (format) => {
    const from = await world.set();
    const { id: to } = await world.set({ name: 'Copy' });
    const rows = [
      line('a "quoted", line\nand more', { expected_output: { text: 'ünï 🙂' }, meta: { z: 1, a: [1] } }),
      line('two', { source_type: 'AGENT_TASK', source_id: '=1+1', flatten_variant: 'agent_first_user_message' }),
      line('three', {
        expected_output: { json: { b: 1, a: null } },
        response_sub: { expected_output: { text: 'no' } },
      }),
    ];
    await send(from.id, rows.join(''), 'application/jsonl');
    const { headers, text } = await exported(from.id, format);
    expect(headers.get('content-type')).toContain(format === 'csv' ? 'text/csv' : 'application/jsonl');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="test-set-${from.id}.${format}"`);
    expect(text).toContain(format === 'csv' ? `"'=1+1"` : '"=1+1"');
    const type = format === 'csv' ? 'text/csv' : 'application/jsonl';
    expect((await send(to, text, type)).body.data).toEqual({ created: 3, skipped: 0, errors: [] });
    expect(await bodiesOf(to)).toEqual(await bodiesOf(from.id));
    expect((await exported(to, format)).text).toBe(text);
  });

  it('is empty for an empty set, and 404 for that of another company', async () => {
    const { id } = await world.set();
    expect((await exported(id, 'jsonl')).text).toBe('');
    expect((await exported(id, 'csv')).text).toMatch(/^"input","expected_output"/);
    const theirs = await (await World.make(platform)).set();
    expect((await exported(theirs.id, 'jsonl')).status).toBe(404);
  });

  it('streams a set that is larger than a message of the bus, and the import of it', async () => {
    const { id } = await world.set();
    const text = 'x'.repeat(20_000);
    const file = Array.from({ length: 1200 }, (_, n) => line(`${n} ${text}`)).join('');
    expect((await send(id, file, 'application/jsonl')).body.data).toEqual({ created: 1200, skipped: 0, errors: [] });
    const { text: whole } = await exported(id, 'jsonl');
    const questions = whole
      .trimEnd()
      .split('\n')
      .map((row) => {
        const { input } = JSON.parse(row) as { input: { messages: { content: string }[] } };
        return input.messages[0]?.content.split(' ')[0];
      });
    expect(questions).toEqual(Array.from({ length: 1200 }, (_, n) => String(n)));
  }, 60_000);
});

/** Attributes and text of the elements of a report, as a parser of XML reads them. */
const READ_XML = `
import json, sys, xml.etree.ElementTree as tree
def read(e): return [e.tag, e.attrib, e.text, [read(c) for c in e]]
print(json.dumps(read(tree.fromstring(sys.stdin.buffer.read()))))`;
type Element = [tag: string, attributes: Record<string, string>, text: string | null, children: Element[]];
const elementsOf = (xml: string): Element =>
  JSON.parse(execFileSync('python3', ['-c', READ_XML], { input: xml, encoding: 'utf8' })) as Element;

describe('the export of a test run', () => {
  const HOSTILE = '=1+1 "quoted", </testcase> & \u0007 ]]> \n\' 🙂';
  const file = async (id: number, format = '') => {
    const reply = await api().send('GET', `/unified-test-runs/${id}/export${format && `?format=${format}`}`);
    return { ...reply, type: reply.headers.get('content-type') };
  };
  const runOf = async (test_set_id: number): Promise<EvaluatedRun> => {
    const body = { test_set_id, consumer_kind: 'MODEL', consumer_config: { model: 'simulated-echo' }, name: HOSTILE };
    const send = () =>
      api().send<{ data: EvaluatedRun }>('POST', '/unified-test-runs/run', body, { 'Idempotency-Key': 'once' });
    const { data } = (await send()).body;
    expect((await send()).body.data.id).toBe(data.id);
    return data;
  };
  let run: EvaluatedRun;
  let items: RunItem[];
  beforeEach(async () => {
    const { id } = await world.set({ name: 'Set <&>' });
    await world.item(id, 'good', { text: '[simulated] good' });
    await world.item(id, HOSTILE, { text: HOSTILE });
    await world.item(id, 'no expectation', null);
    await world.item(id, 'broken', { text: 'never' });
    run = await runOf(id);
    expect(run.summary).toMatchObject({ total: 4, matched: 1, mismatched: 2, unscored: 1 });
    await platform.sql.query(
      `UPDATE "test-runs".run_items i SET status = 'FAILED', failure_class = 'provider', error_message = $2 FROM "test-runs".runs r
       WHERE r.id = i.run_id AND r.no = $1 AND r.company_id = $3 AND i.position = 3`,
      [run.id, HOSTILE, world.companyId],
    );
    const list = await platform.bus.call(
      testRuns.endpoints.listRunItems,
      { ...PAGE, id: run.id, limit: 100, sort: 'position' },
      world.caller(),
    );
    // A list leaves out what each repeat has answered.
    items = await Promise.all(
      list.data.map(({ id: item_id }) =>
        platform.bus.call(testRuns.endpoints.getRunItem, { id: run.id, item_id }, world.caller()),
      ),
    );
  });

  it('as JSONL has the fields of its items, one a line', async () => {
    const { type, headers, text } = await file(run.id);
    expect(type).toBe('application/jsonl; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="test-run-${run.id}.jsonl"`);
    const lines = text.trimEnd().split('\n');
    const set = (item: object) => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
    expect(lines.map((each) => JSON.parse(each) as object)).toEqual(items.map(set));
    expect(items[0]?.attempts_results).toMatchObject([{ repeat: 1, matched: true, actual_output: {} }]);
  });

  it('as CSV has a column for each field, and no cell that a spreadsheet executes', async () => {
    const { type, text } = await file(run.id, 'csv');
    expect(type).toBe('text/csv; charset=utf-8');
    const [head, ...rows] = csvRows(text) as string[][];
    expect([...(head ?? [])].sort()).toEqual(Object.keys(items[0] ?? {}).sort());
    expect(rows).toHaveLength(4);
    const cell = (row: number, name: string) => rows[row]?.[head?.indexOf(name) ?? -1];
    expect(cell(3, 'error_message')).toBe(`'${HOSTILE}`);
    expect(JSON.parse(cell(1, 'expected_output_used') ?? '')).toEqual({ text: HOSTILE });
    expect([cell(0, 'matched'), cell(2, 'matched')]).toEqual(['true', '']);
  });

  it('as JUnit is a report whose failures and errors are those of the run', async () => {
    const { type, text, headers } = await file(run.id, 'junit');
    expect(type).toBe('application/xml; charset=utf-8');
    expect(headers.get('content-disposition')).toContain(`test-run-${run.id}.xml`);
    const [, counts, , [suite]] = elementsOf(text);
    expect(counts).toMatchObject({ tests: '4', failures: '1', errors: '1', skipped: '1' });
    expect(suite?.[1]['name']).toBe(HOSTILE.replace('\u0007', '\uFFFD'));
    const cases = suite?.[3] ?? [];
    expect(cases.map(([, { name }, , results]) => [name, results[0]?.[0]])).toEqual([
      [`item ${items[0]?.test_set_item_id}`, undefined],
      [`item ${items[1]?.test_set_item_id}`, 'failure'],
      [`item ${items[2]?.test_set_item_id}`, 'skipped'],
      [`item ${items[3]?.test_set_item_id}`, 'error'],
    ]);
    expect(cases[0]?.[1]['classname']).toBe('Set <&>');
    const [failure, error] = [cases[1]?.[3][0], cases[3]?.[3][0]];
    expect(failure?.[1]).toMatchObject({ type: 'quality', message: 'text: mismatch' });
    expect(failure?.[2]).toContain('expected: {');
    expect(error?.[1]).toEqual({ type: 'provider', message: HOSTILE.replace('\u0007', '\uFFFD') });
  });

  it('as JUnit names a program that has no id by its kind', async () => {
    const body = {
      test_set_id: run.test_set_id,
      consumer_kind: 'EXTERNAL',
      consumer_config: { url: 'https://x.example/' },
    };
    const { id } = await platform.bus.call(testRuns.endpoints.createTestRun, body as never, world.caller());
    const [, , , [suite]] = elementsOf((await file(id, 'junit')).text);
    expect(suite?.[1]['name']).toBe('Set <&>: external');
  });

  it('is empty before the run is prepared, and 404 for that of another company', async () => {
    const body = { test_set_id: run.test_set_id, consumer_kind: 'MODEL', consumer_config: { model: 'simulated-echo' } };
    const { id } = await platform.bus.call(testRuns.endpoints.createTestRun, body as never, world.caller());
    expect((await file(id)).text).toBe('');
    expect(elementsOf((await file(id, 'junit')).text)[1]).toMatchObject({ tests: '0', failures: '0' });
    world = await World.make(platform);
    expect((await file(id, 'junit')).status).toBe(404);
  });
});
