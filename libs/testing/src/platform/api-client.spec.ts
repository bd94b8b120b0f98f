import { type HttpTarget, startHttpTarget } from '../fakes/index.js';
import { ApiClient } from './api-client.js';

describe('a client of the API', () => {
  let target: HttpTarget;
  let api: ApiClient;
  beforeEach(async () => {
    target = await startHttpTarget();
    api = new ApiClient(target.url, 'k');
  });
  afterEach(() => target.close());

  const replyWith = (body: string, status = 200, type = 'application/json; charset=utf-8') =>
    target.answerWith(() => ({ status, headers: { 'content-type': type }, body }));

  it('sends its key and JSON, or a text as it is with the headers that are given', async () => {
    await api.send('PUT', '/a', { b: 1 });
    await api.send('POST', '/a', 'x', { 'content-type': 'text/csv', 'x-service-api-key': 'other' });
    await new ApiClient(target.url).send('GET', '/a');
    expect(target.calls.map(({ method, path, body }) => [method, path, body.toString()])).toEqual([
      ['PUT', '/a', '{"b":1}'],
      ['POST', '/a', 'x'],
      ['GET', '/a', ''],
    ]);
    expect(target.calls.map(({ headers }) => [headers['x-service-api-key'], headers['content-type']])).toEqual([
      ['k', 'application/json'],
      ['other', 'text/csv'],
      [undefined, undefined],
    ]);
  });

  it('parses what is JSON alone', async () => {
    replyWith('{"data":7}');
    expect(await api.send('GET', '/')).toMatchObject({ status: 200, text: '{"data":7}', body: { data: 7 } });
    replyWith('1\n2\n', 200, 'application/jsonl');
    expect(await api.send('GET', '/')).toMatchObject({ text: '1\n2\n', body: undefined });
  });

  it('returns the data of a reply, and throws when the call did not succeed', async () => {
    replyWith('{"data":null}');
    expect(await api.data('GET', '/')).toBeNull();
    replyWith('{"id":"chat"}');
    expect(await api.data('GET', '/')).toEqual({ id: 'chat' });
    for (const status of [202, 404]) {
      replyWith('{"data":"no"}', status);
      await expect(api.data('POST', '/a')).rejects.toThrow(`POST /a: ${status} {"data":"no"}`);
    }
  });
});
