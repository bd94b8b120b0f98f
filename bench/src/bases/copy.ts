import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Pool } from 'pg';
import { from } from 'pg-copy-streams';
import { PARAMS, RESPONSE } from '../ingest/logged-call.js';
import { answer } from '../measure/answer.js';

// COPY of 1,000 rows per transaction into the same table as the product, with its indexes. No HTTP, no key, no row
// security (the superuser copies), no session, no event, no check for existing ids.

const ROWS = 1000;
const COPY = `COPY traffic.requests (company_id, request_id, session_id, request_type, inference_location, model, provider,
  params, response, status, prompt_tokens, completion_tokens, total_tokens, response_time_ms, metadata, date_created)
  FROM STDIN`;
const pool = new Pool({ connectionString: process.env.DATABASE_URL });
const company = process.env.COMPANY;

function row(): string {
  const json = (value: object): string => JSON.stringify(value).replaceAll('\\', '\\\\');
  const id = randomUUID();
  const cells = [company, id, randomUUID(), 'PROD', 'CLIENT', 'bench-model', 'client', json(PARAMS), json(RESPONSE)];
  return `${[...cells, 'COMPLETED', 120, 96, 216, 812, '{"team":"a"}', Date.now()].join('\t')}\n`;
}

async function write(end: number): Promise<number> {
  const client = await pool.connect();
  let rows = 0;
  try {
    while (performance.now() < end) {
      const text = Array.from({ length: ROWS }, row).join('');
      await pipeline(Readable.from([text]), client.query(from(COPY)));
      rows += ROWS;
    }
    return rows;
  } finally {
    client.release();
  }
}

answer<{ seconds: number; writers: number }>(
  async ({ seconds, writers }) => {
    const began = performance.now();
    const rows = await Promise.all(Array.from({ length: writers }, () => write(began + seconds * 1000)));
    return { rows: rows.reduce((sum, some) => sum + some, 0), seconds: (performance.now() - began) / 1000 };
  },
  () => pool.end(),
);
