import Fastify from 'fastify';
import { Pool } from 'undici';
import { answer } from '../measure/child.js';

// The minimal streaming proxy: Fastify receives the call, undici repeats it, and its body is piped through. No key, no
// inspection, no record.

const upstream = new Pool(process.env.UPSTREAM ?? '', { connections: 64 });
const server = Fastify();
server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
server.post('/v1/chat/completions', async (request, reply) => {
  const { statusCode, headers, body } = await upstream.request({
    path: '/v1/chat/completions',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: request.body as Buffer,
  });
  return reply
    .code(statusCode)
    .header('content-type', headers['content-type'] ?? '')
    .send(body);
});
await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
answer(
  () => Promise.resolve(null),
  async () => {
    await server.close();
    await upstream.close();
  },
);
