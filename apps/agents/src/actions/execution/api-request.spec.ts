import { parseActionConfig } from '@signalbox/contracts';
import { apiRequest } from './api-request.js';

const request = (config: Record<string, unknown>, given: Record<string, unknown> = {}) =>
  apiRequest(parseActionConfig('api', { endpoint: 'https://a.test/x', ...config }), null, given, 'task/2');

describe('the request of an api action', () => {
  it('fills the body with the JSON types of the arguments', () => {
    const parameters = { n: { type: 'number' }, t: { type: 'string' } };
    const made = request({ parameters, body: { n: '{n}', text: 'is {t}', fixed: true } }, { n: 1, t: '{n}' });
    expect(JSON.parse(made.body!)).toEqual({ n: 1, text: 'is {n}', fixed: true });
    expect(made.headers['content-type']).toBe('application/json');
  });

  it('sends unused declared arguments and drops undeclared ones', () => {
    const parameters = { a: { type: 'string' }, b: { type: 'object' } };
    expect(request({ parameters }, { a: 'x', evil: 1 }).body).toBe('{"a":"x"}');
    expect(request({ parameters, method: 'GET' }, { a: 'x&y', b: { c: 1 } }).url).toBe(
      'https://a.test/x?a=x%26y&b=%7B%22c%22%3A1%7D',
    );
    expect(request({ parameters, method: 'GET' }, {}).body).toBeUndefined();
  });

  it('has the idempotency key unless its method is a read', () => {
    expect(request({}).headers['idempotency-key']).toBe('task/2');
    expect(request({ method: 'DELETE' }).headers['idempotency-key']).toBe('task/2');
    expect(request({ method: 'GET' }).headers).not.toHaveProperty('idempotency-key');
  });

  it.each([
    [{ type: 'bearer', token: '{{secrets.T}}' }, { authorization: 'Bearer {{secrets.T}}' }],
    [{ type: 'api_key', header: 'X-Key', token: '{{secrets.T}}' }, { 'x-key': '{{secrets.T}}' }],
  ])('leaves the secrets of %j as placeholders', (auth, headers) => {
    expect(request({ auth, headers: { 'X-Other': 'o' } }).headers).toMatchObject({ ...headers, 'x-other': 'o' });
  });

  it('passes basic authentication unencoded', () => {
    const auth = { type: 'basic', username: 'u', password: '{{secrets.P}}' };
    expect(request({ auth }).basicAuth).toEqual({ username: 'u', password: '{{secrets.P}}' });
  });

  it('never expands a secret placeholder in an argument', () => {
    const made = request({ body: { t: '{t}' }, parameters: { t: { type: 'string' } } }, { t: '{{secrets.T}}' });
    expect(made.headers).toEqual({ 'content-type': 'application/json', 'idempotency-key': 'task/2' });
  });
});
