import Fastify from 'fastify';
import { Pool, types } from 'pg';
import { answer } from '../measure/answer.js';

// Base A: the minimum that can serve Postgres rows over HTTP. One process, Fastify, one prepared statement that builds
// the same JSON of the same row, ten connections. No key, no company, no bus, no log line, no limits.

types.setTypeParser(types.builtins.INT8, Number);
const { DATABASE_URL: connectionString, TABLE, FIELDS, COMPANY, PREFIX, PORT } = process.env;
const pool = new Pool({ connectionString, max: 10 });
const text = `SELECT row_to_json(f)::text AS body FROM (
  SELECT ${FIELDS} FROM ${TABLE} t WHERE t.company_id = $1 AND t.id = $2 AND t.deleted_at IS NULL) f`;

const server = Fastify();
server.get<{ Params: { id: string } }>(`${PREFIX}:id`, async (request, reply) => {
  const { rows } = await pool.query<{ body: string }>({ name: 'read', text, values: [COMPANY, request.params.id] });
  reply.type('application/json; charset=utf-8');
  return rows[0] ? `{"data":${rows[0].body}}` : reply.code(404).send('{"error":{"status":404,"message":"not found"}}');
});
await server.listen({ host: '127.0.0.1', port: Number(PORT) });

answer(
  () => Promise.resolve(null),
  async () => {
    await server.close();
    await pool.end();
  },
);
