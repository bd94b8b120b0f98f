import { Platform } from '@signalbox/testing';

let platform: Platform;
let key: string;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'test-runs', 'gateway']);
  ({ key } = await platform.company());
}, 90_000);
afterAll(() => platform.stop());

const ask = (path: string, apiKey = key) => platform.api(apiKey).send('GET', path);
const announced = ({ headers }: { headers: Headers }) => [
  headers.get('deprecation'),
  headers.get('link'),
  headers.get('sunset'),
];

describe('a legacy path', () => {
  it.each([
    ['a success', '/test-sets', 200, '/unified-test-sets'],
    ['an unknown id', '/test-sets/7', 404, '/unified-test-sets/7'],
    ['a bad id', '/test-sets/a%22b/requests', 400, '/unified-test-sets/a%22b/items'],
  ])('announces its successor with %s', async (_name, path, status, successor) => {
    const reply = await ask(path);
    expect(reply.status).toBe(status);
    expect(announced(reply)).toEqual(['true', `</api/v1${successor}>; rel="successor-version"`, null]);
  });

  it('announces it to a client without a valid key too', async () => {
    const reply = await ask('/test-sets', 'none');
    expect(reply.status).toBe(401);
    expect(announced(reply)[0]).toBe('true');
  });

  it('differs from its successor in that', async () => {
    expect(announced(await ask('/unified-test-sets'))).toEqual([null, null, null]);
  });

  it('is marked as deprecated in the document', async () => {
    const document = await platform
      .api()
      .data<{ paths: Record<string, Record<string, { deprecated?: boolean }>> }>('GET', '/openapi.json');
    expect(document.paths['/test-sets']?.get?.deprecated).toBe(true);
    expect(document.paths['/unified-test-sets']?.get?.deprecated).toBeUndefined();
  });
});
