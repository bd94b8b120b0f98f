import Fastify from 'fastify';
import { answer } from '../measure/answer.js';

// Bare Fastify: a route with a parameter that answers one constant text.

const body = process.env.BODY ?? '';
const server = Fastify();
server.get(`${process.env.PREFIX}:id`, (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
answer(
  () => Promise.resolve(null),
  () => server.close(),
);
