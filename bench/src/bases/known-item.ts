import Fastify from 'fastify';
import { Pool, types } from 'pg';
import { answer } from '../measure/answer.js';

// The base of P16: what a repeated import needs at least. One process, Fastify, one prepared statement that finds the
// item of a source and builds the same JSON of it, ten connections. No key, no company, no bus, no limits.

types.setTypeParser(types.builtins.INT8, Number);
const { DATABASE_URL: connectionString, FIELDS, TABLE, COMPANY, TEST_SET, PREFIX = '', PORT } = process.env;
const pool = new Pool({ connectionString, max: 10 });
const text = `SELECT row_to_json(f)::text AS item FROM (SELECT ${FIELDS} FROM ${TABLE} t
  WHERE t.company_id = $1 AND t.test_set_id = $2 AND t.source_type = 'REQUEST' AND t.source_id = $3
    AND t.deleted_at IS NULL) f`;

const server = Fastify();
server.post<{ Body: { request_id: string } }>(PREFIX, async (request, reply) => {
  const values = [COMPANY, TEST_SET, request.body.request_id];
  const { rows } = await pool.query<{ item: string }>({ name: 'find', text, values });
  reply.type('application/json; charset=utf-8');
  return `{"data":{"item":${rows[0]?.item ?? 'null'},"created":false}}`;
});
await server.listen({ host: '127.0.0.1', port: Number(PORT) });

answer(
  () => Promise.resolve(null),
  async () => {
    await server.close();
    await pool.end();
  },
);
