import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionError, createClient, SignalboxError } from '@signalbox/sdk';
import { startHttpTarget } from '@signalbox/testing';
import { answer, brokenOff, client, target } from './fixture.js';

describe('a file', () => {
  it('that breaks off is a lost connection', async () => {
    answer(brokenOff('x'));
    const download = await client.testSets.export({ test_set_id: 1 });
    await expect(download.text()).rejects.toBeInstanceOf(ConnectionError);
    const { stream: content } = await client.testSets.export({ test_set_id: 1 });
    await expect(new Response(content).text()).rejects.toBeInstanceOf(ConnectionError);
  });
});

describe('calls one after the other', () => {
  it('share a connection', async () => {
    const ports = new Set<number | undefined>();
    const server = createServer((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('{"data":{"id":7}}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const reusing = createClient({ apiKey: 'k', baseUrl: `http://127.0.0.1:${port}` });
    for (let call = 0; call < 10; call++) await reusing.agents.get({ agent_id: 7 });
    // The second call may be sent before the reply to the first has been read to its end.
    expect(ports.size).toBeLessThanOrEqual(2);
    server.closeAllConnections();
    server.close();
  });
});

describe('a reply that is none of the platform', () => {
  it('is an error when it redirects, and the key goes nowhere else', async () => {
    const other = await startHttpTarget();
    for (const status of [301, 302, 307, 308]) {
      answer({ status, headers: { location: `${other.url}/agents/7` } });
      await expect(client.agents.get({ agent_id: 7 })).rejects.toThrow(`redirects to ${other.url}/agents/7`);
    }
    expect([target.calls.length, other.calls.length]).toEqual([4, 0]);
    await other.close();
  });

  it('is an error of the client when it is not JSON', async () => {
    answer({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' });
    const failed = client.agents.get({ agent_id: 7 });
    await expect(failed).rejects.toBeInstanceOf(SignalboxError);
    await expect(failed).rejects.toThrow('not JSON');
  });
});

describe('a platform that is away', () => {
  it('is an error that says why none of its addresses can be reached', async () => {
    const reasons = ['connect ECONNREFUSED ::1:3000', 'connect ECONNREFUSED 127.0.0.1:3000'];
    const cause = new AggregateError(reasons.map((reason) => new Error(reason)));
    const away = createClient({ apiKey: 'k', fetch: () => Promise.reject(new TypeError('fetch failed', { cause })) });
    const refused = away.agents.get({ agent_id: 7 }, { maxRetries: 0 });
    await expect(refused).rejects.toThrow(`the platform cannot be reached: ${reasons.join('; ')}`);
  });
});
