import { randomUUID } from 'node:crypto';
import { BusConnection } from '@signalbox/bus';
import type { SessionEvent } from '@signalbox/contracts';
import { openObjectStore } from '@signalbox/objects';
import { createLogger } from '@signalbox/platform';
import {
  eventually,
  openDatabase,
  type OpenDatabase,
  serviceEnv,
  startServers,
  type TestServers,
} from '@signalbox/testing';
import { Pool } from 'pg';
import { PayloadOffload } from '../src/payload-offload/payload-offload.js';
import { OffloadedObjects } from '../src/payload-offload/offloaded-objects.repository.js';
import { recordOf } from '../src/request-records/request-record.js';
import { RequestRetention } from '../src/requests/retention/request-retention.repository.js';
import { RecordedSessions } from '../src/session-history/recorded-sessions.repository.js';
import { SessionClaims } from '../src/sessions/session-claims.js';
import { Sessions } from '../src/sessions/sessions.repository.js';
import { TIMELINE } from '../src/session-history/session-timeline.sql.js';
import { requestWriter } from './request-writer.js';

// Sessions and days of recorded requests, at the tables of traffic without its process.

const DAY_MS = 86_400_000;
const COMPANY = 7;
const OTHER = 8;

let servers: TestServers;
let open: OpenDatabase;
let sql: Pool;
let parts: PayloadOffload;
let sessions: RecordedSessions;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'traffic', 4);
  sql = new Pool({ connectionString: servers.postgres.url, max: 2 });
  sql.on('error', () => undefined);
  const store = openObjectStore({ OBJECT_STORE_URL: '', DATA_DIR: servers.dir }, 'traffic');
  parts = new PayloadOffload(open.db, new OffloadedObjects(open.db), store, createLogger('traffic', 'silent'));
  sessions = new RecordedSessions(open.db, parts);
}, 60_000);
afterAll(async () => {
  await open.close();
  await sql.end();
  await servers.stop();
});

const recorded = (companyId: number, sessionId: string | null, began: number) =>
  recordOf({
    requestId: randomUUID(),
    companyId,
    place: { applicationId: null, intentId: null, intentGroupId: null },
    sessionId,
    inSession: sessionId !== null,
    referenceId: null,
    requestType: 'PROD',
    inferenceLocation: 'SERVER',
    model: 'm',
    provider: 'p',
    metadata: { private: 'of a user' },
    params: { messages: [{ role: 'user', content: 'private' }] },
    answer: null,
    failure: { failureClass: 'provider', message: 'refused: private' },
    fallback: null,
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, cost: null },
    firstTokenMs: null,
    responseMs: 1,
    began,
  });

describe('the timeline of a long session', () => {
  const TURNS = 500;
  const LIMIT = 10;
  /** Each turn repeats the conversation before it; `fresh` is what its process has recorded about it. */
  const CONVERSATION = `INSERT INTO traffic.requests (company_id, request_id, session_id, request_type, model, provider, params,
      response, status, prompt_tokens, completion_tokens, total_tokens, metadata, date_created, response_time_ms, origin, new_messages)
    SELECT $1, gen_random_uuid(), $2, 'PROD', 'm', 'p', json_build_object('messages', (
        SELECT json_agg(json_build_object('role', CASE k % 2 WHEN 1 THEN 'user' ELSE 'assistant' END, 'content', 'm' || k))
        FROM generate_series(1, 2 * n - 1) k)),
      json_build_object('choices', json_build_array(json_build_object('message',
        json_build_object('role', 'assistant', 'content', 'm' || 2 * n)))),
      'COMPLETED', 1, 1, 2, '{}', $3::bigint + n * 10, 5, 'CHAT', $4::int
    FROM generate_series(1, ${TURNS}) n ORDER BY n`;

  beforeAll(async () => {
    for (const [name, fresh] of [
      ['counted', 1],
      ['of an earlier release', null],
    ] as const)
      await sql.query(CONVERSATION, [COMPANY, name, Date.now() - 60_000, fresh]);
  });

  const page = async (session: string, offset: number, query: { search?: string; sort?: string } = {}) => {
    const text = await sessions.timeline(COMPANY, session, { offset, limit: LIMIT, ...query });
    return JSON.parse(text ?? 'null') as { data: SessionEvent[]; pagination: { total: number } };
  };

  it.each(['counted', 'of an earlier release'])('has each message once, in its order: %s', async (session) => {
    for (const offset of [0, 495, 990]) {
      const { data, pagination } = await page(session, offset);
      expect(pagination.total).toBe(2 * TURNS);
      expect(data.map(({ role, content }) => [role, content])).toEqual(
        Array.from({ length: LIMIT }, (_, at) => [(offset + at) % 2 ? 'assistant' : 'user', `m${offset + at + 1}`]),
      );
    }
  });

  it.each(['counted', 'of an earlier release'])(
    'is searched by what was said, and in both orders: %s',
    async (session) => {
      const found = await page(session, 0, { search: 'M77' });
      expect(found.data.map(({ content }) => content)).toEqual([
        'm77',
        ...Array.from({ length: 9 }, (_, at) => `m77${at}`),
      ]);
      expect(found.pagination.total).toBe(11);
      const [last] = (await page(session, 10, { search: 'm77' })).data;
      expect(last).toMatchObject({ type: 'message', role: 'user', content: 'm779' });
      const newest = await page(session, 0, { search: 'm77', sort: '-date_created' });
      expect(newest.data[0]).toEqual(last);
      const byRequest = await page(session, 0, { search: last!.request_id! });
      expect(byRequest.data.map(({ content }) => content)).toEqual(['m779', 'm780']);
      expect(await page(session, 0, { search: 'assistant' })).toMatchObject({ data: [], pagination: { total: 0 } });
      expect((await page(session, 0, { sort: '-date_updated' })).data[0]).toMatchObject({ content: `m${2 * TURNS}` });
    },
  );

  it('reads the conversations of the requests on the page alone', async () => {
    const scoped = `WITH s AS MATERIALIZED (SELECT set_config('app.company', $1::text, true)::int AS company) ${TIMELINE('ASC', false).text}`;
    const { rows } = await sql.query<{ 'QUERY PLAN': Plan[] }>(`EXPLAIN (ANALYZE, TIMING off, FORMAT JSON) ${scoped}`, [
      COMPANY,
      'counted',
      LIMIT,
      990,
    ]);
    expect(unfolded(rows[0]!['QUERY PLAN'].map(({ Plan: plan }) => plan))).toBeLessThan(LIMIT * 2 * TURNS);
  });

  interface Node {
    'Function Name'?: string;
    'Actual Rows': number;
    'Actual Loops': number;
    Plans?: Node[];
  }
  interface Plan {
    Plan: Node;
  }

  /** Elements of conversations that were read. */
  const unfolded = (nodes: readonly Node[]): number =>
    nodes.reduce((sum, node) => {
      const own = node['Function Name'] === 'json_array_elements' ? node['Actual Rows'] * node['Actual Loops'] : 0;
      return sum + own + unfolded(node.Plans ?? []);
    }, 0);
});

describe('a deleted session', () => {
  it('leaves nothing that was said in it, in its requests either', async () => {
    const records = [recorded(COMPANY, 'spoken', Date.now()), recorded(COMPANY, 'spoken', Date.now())];
    await requestWriter(open.db).insertOf(COMPANY, records);
    const caller = {
      companyId: COMPANY,
      keyId: null,
      scopes: [],
      requestId: randomUUID(),
      deadline: Date.now() + 10_000,
    };
    await sessions.remove(caller, 'spoken');
    const { rows } = await sql.query<{ row: object }>(
      `SELECT jsonb_strip_nulls(to_jsonb(t)) AS row FROM traffic.requests t WHERE company_id = $1 AND session_id = 'spoken'`,
      [COMPANY],
    );
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain('private');
  });
});

describe('requests that are recorded after the partition of their day was dropped', () => {
  const day = Math.floor(Date.now() / DAY_MS) * DAY_MS - 400 * DAY_MS;
  const left = async () => {
    const { rows } = await sql.query<{ company_id: number }>(
      'SELECT company_id FROM traffic.requests_default WHERE date_created >= $1 AND date_created < $2 ORDER BY 1',
      [day, day + 2 * DAY_MS],
    );
    return rows.map(({ company_id }) => company_id);
  };

  it('are deleted like those of other days', async () => {
    const retention = new RequestRetention(open.db, parts);
    for (const companyId of [COMPANY, OTHER])
      await requestWriter(open.db).insertOf(companyId, [
        recorded(companyId, null, day),
        recorded(companyId, null, day + 5),
        recorded(companyId, null, day + DAY_MS),
      ]);
    const days = (await retention.days()).filter(({ starts }) => starts >= day && starts <= day + DAY_MS);
    expect(days).toEqual(
      [day, day + DAY_MS].map((starts) => ({ starts, companies: [COMPANY, OTHER], hasPartition: false })),
    );
    await retention.remove(COMPANY, day, day + 5);
    expect(await left()).toEqual([COMPANY, COMPANY, OTHER, OTHER, OTHER]);
    await retention.drop(days[0]!);
    expect(await left()).toEqual([COMPANY, OTHER]);
  });
});

describe('a session that another application asks for during an outage of the database', () => {
  let bus: BusConnection;
  beforeAll(async () => {
    const { NATS_URL = '' } = serviceEnv(servers, 'traffic');
    bus = await BusConnection.open(NATS_URL, 'traffic', createLogger('traffic', 'silent'));
  });
  afterAll(() => bus.close());

  it('belongs to its own application afterwards', async () => {
    const rows = new Sessions(open.db);
    await rows.open(COMPANY, 'mine', 1);
    const claims = new SessionClaims(rows, bus);
    await servers.postgres.stop('fast');
    await claims.claim(COMPANY, 'mine', 2);
    await servers.restartPostgres('fast');
    await eventually('the database is back', () =>
      rows.open(COMPANY, 'mine', 1).then(
        () => true,
        () => false,
      ),
    );
    await claims.claim(COMPANY, 'mine', 1);
    await expect(claims.claim(COMPANY, 'mine', 2)).rejects.toMatchObject({
      extras: { code: 'session_application_mismatch' },
    });
  }, 60_000);
});
