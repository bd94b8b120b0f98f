import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { Pool } from 'undici';
import { answer } from '../measure/answer.js';
import { rowsOf } from './task-rows.js';

// The base of invocations: one Fastify process that calls the model and then writes the rows of the task in one
// transaction, messages for the relay included. No key, no bus, no validation, no queue; what it has not written when it
// dies is lost. The record of the model call in traffic's log is missing.

const { AGENT = '0', COMPANY = '0', DATABASE_URL = '', PORT, UPSTREAM = '' } = process.env;
const upstream = new Pool(UPSTREAM, { connections: 64 });
const database = new pg.Pool({ connectionString: DATABASE_URL, max: 16 });

interface Message {
  role: string;
  content: string;
}
interface Completion {
  model: string;
  choices: { message: Message }[];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

const snapshot = JSON.stringify({ agent_name: 'Answer', model: 'bench-model', actions: [], sub_agents: [] });

async function complete(messages: Message[]): Promise<Completion> {
  const { body } = await upstream.request({
    path: '/v1/chat/completions',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'bench-model', messages }),
  });
  return (await body.json()) as Completion;
}

const server = Fastify();
server.post<{ Body: { messages: Message[] } }>('/invoke', async ({ body: { messages } }) => {
  const id = randomUUID();
  const { choices, model, usage } = await complete(messages);
  const output = choices[0]?.message ?? { role: 'assistant', content: '' };
  const task = { id, company: Number(COMPANY), agent: Number(AGENT), snapshot, messages, output, model, usage };
  const client = await database.connect();
  try {
    await client.query(`BEGIN; SELECT set_config('app.company', '${COMPANY}', true)`);
    for (const { name, text, values } of rowsOf(task)) await client.query({ name, text, values });
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  return { data: { id, task_id: id, object: 'chat.completion', model, choices, usage } };
});
await server.listen({ host: '127.0.0.1', port: Number(PORT) });

answer(
  () => Promise.resolve(null),
  async () => {
    await server.close();
    await upstream.close();
    await database.end();
  },
);
