import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { FILE_PART_BYTES } from '@signalbox/contracts';
import { Platform } from '@signalbox/testing';
import { ECHO } from './world.js';

let platform: Platform;
let key: string;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'monitors', 'workflows', 'runner', 'gateway']);
}, 120_000);
afterAll(() => platform?.stop());
beforeEach(async () => {
  ({ key } = await platform.company());
});

const send = (path: string, body?: FormData | string, headers?: Record<string, string>) =>
  platform.api(key).send<{ data: unknown }>(body === undefined ? 'GET' : 'POST', path, body, headers);

const formOf = (fields: Record<string, string | File | File[]>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const each of Array.isArray(value) ? value : [value]) form.append(name, each);
  return form;
};
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const script = (text = ECHO) => new File([text], 'script.js', { type: 'text/javascript' });

describe('a bundle', () => {
  it('is a form with fields, the script and artifacts as files, or the same as JSON', async () => {
    const form = formOf({
      workflow_ref_name: 'bundle',
      timeout_seconds: '7',
      meta: '{"team":"a"}',
      input_schema: '{"type":"object"}',
      publish_version: 'true',
      script: script(),
      artifacts: [new File(['a'], 'data/a.txt', { type: 'text/plain' }), new File(['\xff'], 'b.bin')],
    });
    const made = await send('/workflows/upload', form);
    expect(made).toMatchObject({
      status: 200,
      body: {
        data: {
          created: true,
          workflow: { timeout_seconds: 7, meta: { team: 'a' }, input_schema: { type: 'object' } },
          version: { version_number: '1.0.0' },
        },
      },
    });
    const { id } = (made.body.data as { workflow: { id: number } }).workflow;
    const listed = await send(`/workflows/${id}/artifacts?sort=key`);
    expect(listed.body.data).toMatchObject([
      { key: 'b.bin', content_type: 'application/octet-stream', sha256: hashOf(Buffer.from('\xff')) },
      { key: 'data/a.txt', content_type: 'text/plain', size_bytes: 1 },
    ]);
    const json = JSON.stringify({ workflow_ref_name: 'bundle', script: ECHO, timeout_seconds: 8 });
    expect(await send('/workflows/upload', json)).toMatchObject({
      body: { data: { created: false, workflow: { id, timeout_seconds: 8, meta: { team: 'a' } } } },
    });
  });

  it.each([
    ['an unknown field', { nothing: '1' }, 'nothing', 'is not a known field'],
    ['a field that is no JSON', { meta: '{' }, 'meta', 'must be JSON'],
    ['a field that is no number', { timeout_seconds: 'x' }, 'timeout_seconds', 'must be an integer'],
    ['a script twice', { script: [script(), script()] }, 'script', 'is given twice'],
    ['a script that is no text', { script: new File([new Uint8Array([0xff])], 'x') }, 'script', 'is not UTF-8'],
    ['an artifact with a bad name', { artifacts: new File(['x'], '../x') }, 'artifacts[0].key', 'must be'],
  ])('is refused with %s', async (_, change, field, message) => {
    const form = formOf({
      workflow_ref_name: 'bundle',
      ...('script' in change ? {} : { script: script() }),
      ...change,
    });
    const { status, body } = await send('/workflows/upload', form);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: { details: [{ field, message: expect.stringContaining(message) }] } },
    });
    expect((await send('/workflows')).body.data).toEqual([]);
  });

  it('is refused when it is too large, malformed, of another type or without a key', async () => {
    const big = new File([new Uint8Array(11 * 1024 * 1024)], 'big');
    const form = formOf({ workflow_ref_name: 'bundle', script: script(), artifacts: big });
    expect((await send('/workflows/upload', form)).status).toBe(413);
    const broken = { 'Content-Type': 'multipart/form-data; boundary=x' };
    expect((await send('/workflows/upload', '--x\r\nbroken', broken)).status).toBe(400);
    expect((await send('/workflows/upload', 'a=b', { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await send('/workflows/upload', form, { 'X-Service-Api-Key': 'none' })).status).toBe(401);
  });
});

describe('an artifact', () => {
  let id: number;
  const put = (fields: Parameters<typeof formOf>[0], headers = {}) =>
    send(`/workflows/${id}/artifacts`, formOf(fields), headers);
  beforeEach(async () => {
    const made = await send('/workflows', JSON.stringify({ workflow_ref_name: 'flow', script: ECHO }));
    id = (made.body.data as { id: number }).id;
  });

  it('of several parts is stored from a form and sent again byte by byte', async () => {
    const bytes = randomBytes(2 * FILE_PART_BYTES + 5);
    const file = new File([bytes], 'model.bin', { type: 'application/x-model' });
    // The key may come before or after the file.
    for (const fields of [
      { file, key: 'models/one.bin' },
      { key: 'models/one.bin', file },
    ]) {
      const { status, body } = await put(fields);
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          data: {
            key: 'models/one.bin',
            size_bytes: bytes.length,
            sha256: hashOf(bytes),
            content_type: 'application/x-model',
          },
        },
      });
      const artifact = (body.data as { id: number }).id;
      const url = `${platform.baseUrl}/workflows/${id}/artifacts/${artifact}/content`;
      const reply = await fetch(url, { headers: { 'X-Service-Api-Key': key } });
      expect(reply.headers.get('content-type')).toBe('application/x-model');
      expect(reply.headers.get('content-length')).toBe(String(bytes.length));
      expect(reply.headers.get('content-disposition')).toBe('attachment; filename="one.bin"');
      expect(hashOf(new Uint8Array(await reply.arrayBuffer()))).toBe(hashOf(bytes));
    }
    expect((await send(`/workflows/${id}/artifacts`)).body.data).toHaveLength(1);
    const empty = await put({ key: 'empty', file: new File([], 'x'), content_type: 'text/csv' });
    expect(empty.body.data).toMatchObject({ size_bytes: 0, content_type: 'text/csv', sha256: hashOf(Buffer.from('')) });
  });

  it('is stored once under an idempotency key, whatever its parts are called', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const form = { key: 'a', file: new File(['same'], 'a') };
    const first = await put(form, headers);
    expect(await put(form, headers)).toMatchObject({ status: 200, body: first.body });
    expect((await put({ ...form, file: new File(['other'], 'a') }, headers)).status).toBe(422);
  });

  it.each([
    ['without a file', { key: 'a' }, 400],
    ['without a key', { file: new File(['a'], 'a') }, 400],
    ['with two files', { key: 'a', file: [new File(['a'], 'a'), new File(['b'], 'b')] }, 400],
    ['with a file in another field', { key: 'a', data: new File(['a'], 'a') }, 400],
    ['with the content twice', { key: 'a', content_base64: 'YQ==', file: new File(['a'], 'a') }, 400],
    ['with an upload that the client names', { key: 'a', upload: '{}', file: new File(['a'], 'a') }, 400],
  ])('is refused %s', async (_, fields, status) => {
    expect((await put(fields as never)).status).toBe(status);
  });

  it('is refused with an upload in JSON, of a workflow that does not exist, and over its limit', async () => {
    const upload = { id: randomUUID(), parts: 0, size_bytes: 0, content_type: null, sha256: hashOf(Buffer.from('')) };
    const named = await send(`/workflows/${id}/artifacts`, JSON.stringify({ key: 'a', upload }));
    expect(named).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'upload', message: 'is not a known field' }] } },
    });
    const file = new File(['a'], 'a');
    expect((await send(`/workflows/${id + 1000}/artifacts`, formOf({ key: 'a', file }))).status).toBe(404);
    expect((await send(`/workflows/${id}/artifacts`, JSON.stringify({ key: 'a' }))).status).toBe(400);
  });
});
