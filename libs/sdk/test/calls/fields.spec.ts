import { createClient } from '@signalbox/sdk';
import { agent, answer, client, target } from './fixture.js';

describe('the fields of a call', () => {
  it('may turn a list into a file', async () => {
    target.answerWith(() => ({ headers: { 'content-type': 'text/csv' }, body: 'request_id\r\n' }));
    const report = await client.reports.listFaults({ format: 'csv' });
    expect([report.contentType, await report.text()]).toEqual(['text/csv', 'request_id\r\n']);
  });

  it('become a form when a file is among them, with the same bytes on each try', async () => {
    answer({ reset: true }, agent);
    await client.workflows.putArtifact({
      workflow_id: 7,
      key: 'a.txt',
      file: new Blob(['héllo'], { type: 'text/plain' }),
    });
    const [first, second] = target.calls.map(({ body }) => body.toString());
    expect(second).toBe(first);
    const boundary = /boundary=(.*)$/.exec(target.calls[0]?.headers['content-type'] ?? '')?.[1];
    expect(first?.split(`--${boundary}`).map((part) => part.trim().split('\r\n\r\n'))).toEqual([
      [''],
      ['Content-Disposition: form-data; name="key"', 'a.txt'],
      ['Content-Disposition: form-data; name="file"; filename="file"\r\nContent-Type: text/plain', 'héllo'],
      ['--'],
    ]);
    await client.workflows.putArtifact({ workflow_id: 7, key: 'a.txt', content_base64: 'aA==' });
    expect(JSON.parse(target.calls[2]?.body.toString() ?? '')).toEqual({ key: 'a.txt', content_base64: 'aA==' });
  });

  it('are divided into path, query and body, lists in a query by repetition', async () => {
    answer(agent);
    await client.agents.list({ status: ['ENABLED', 'DISABLED'], search: 'a&b' });
    await client.agents.list({ status: null, search: null } as never);
    await client.sessions.update({ session_id: 'a/b', metadata: { k: 1 } });
    expect(target.calls.map(({ path }) => path)).toEqual([
      '/agents?status=ENABLED&status=DISABLED&search=a%26b',
      '/agents',
      '/sessions/a%2Fb',
    ]);
    expect(JSON.parse(target.calls[2]?.body.toString() ?? '')).toEqual({ metadata: { k: 1 } });
    await expect(client.agents.get({} as never)).rejects.toThrow('GET /agents/{agent_id} needs agent_id');
  });
});

describe('the headers of a call', () => {
  it('replace its own and those of the client, in any spelling', async () => {
    answer(agent);
    const headers = { 'X-SERVICE-API-KEY': 'svk_other', 'X-Request-Id': 'of-the-client' };
    const naming = createClient({ apiKey: 'svk_test', baseUrl: target.url, headers });
    const options = { headers: { 'Idempotency-Key': 'mine', 'x-request-id': 'of-the-call' } };
    await naming.agents.create({ application_id: 1, agent_name: 'a' }, options);
    expect(target.calls[0]?.headers).toMatchObject({
      'x-service-api-key': 'svk_other',
      'x-request-id': 'of-the-call',
      'idempotency-key': 'mine',
    });
  });
});
