import Fastify from 'fastify';
import { Pool } from 'undici';
import { answer } from '../measure/answer.js';

// The minimal proxy: Fastify receives the call, undici repeats it, and the body of a stream is piped through. No key, no
// inspection, no record.

const upstream = new Pool(process.env.UPSTREAM ?? '', { connections: 64 });
const server = Fastify({ forceCloseConnections: true });
server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
server.post('/v1/chat/completions', async (request, reply) => {
  const { statusCode, headers, body } = await upstream.request({
    path: '/v1/chat/completions',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: request.body as Buffer,
  });
  const type = String(headers['content-type']);
  // A body that is complete is sent at once: to pipe it would cost more.
  const content = type.startsWith('text/event-stream') ? body : Buffer.from(await body.arrayBuffer());
  return reply.code(statusCode).header('content-type', type).send(content);
});
await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
answer(
  () => Promise.resolve(null),
  async () => {
    await server.close();
    await upstream.close();
  },
);
