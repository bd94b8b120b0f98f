import { type OpenDatabase, openDatabase, startServers, type TestServers } from '@signalbox/testing';
import { Pool } from 'pg';
import { type ArrivedRecord, Arrivals } from '../../src/otel/arrivals.repository.js';
import { Assembly } from '../../src/otel/assembly.repository.js';
import { TraceRetention } from '../../src/otel/trace-retention.repository.js';
import { spanId, traceId } from './otel-client.js';

// The retention of traces, at the tables of traffic without its process.

const DAY_MS = 86_400_000;
const COMPANY = 7;
const OTHER = 8;
const running = new AbortController().signal;

let servers: TestServers;
let open: OpenDatabase;
let sql: Pool;
let arrivals: Arrivals;
let retention: TraceRetention;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'traffic', 4);
  sql = new Pool({ connectionString: servers.postgres.url, max: 2 });
  sql.on('error', () => undefined);
  arrivals = new Arrivals(open.db);
  retention = new TraceRetention(open.db);
}, 60_000);
afterAll(async () => {
  await open.close();
  await sql.end();
  await servers.stop();
});

const recordOf = (trace_id: string): ArrivedRecord => ({ trace_id, record_id: spanId(), signal: 'span', json: '{}' });

/** A trace with one record of the company, whose last record came so many days ago. */
async function trace(
  companyId: number,
  daysAgo: number,
  { isClosed = true }: { isClosed?: boolean } = {},
): Promise<ArrivedRecord> {
  const record = recordOf(traceId());
  expect(await arrivals.store({ companyId } as never, [record])).toEqual([]);
  const at = Date.now() - daysAgo * DAY_MS;
  await sql.query(
    'UPDATE traffic.otel_traces SET first_arrival = $3, last_arrival = $3, closed_at = $4 WHERE company_id = $1 AND trace_id = $2',
    [companyId, record.trace_id, at, isClosed ? at : null],
  );
  return record;
}

interface Kept {
  is_pruned: boolean;
  is_open: boolean;
  records: number;
}

/** What is kept of a trace; undefined for nothing. */
async function kept({ trace_id }: ArrivedRecord): Promise<Kept | undefined> {
  const { rows } = await sql.query<Kept>(
    `SELECT t.pruned_at IS NOT NULL AS is_pruned, t.closed_at IS NULL AS is_open,
       (SELECT count(*)::int FROM traffic.otel_records r WHERE r.trace_id = t.trace_id) AS records
     FROM traffic.otel_traces t WHERE t.trace_id = $1`,
    [trace_id],
  );
  return rows[0];
}

const KEPT = { is_pruned: false, is_open: false, records: 1 };
const PRUNED = { is_pruned: true, is_open: false, records: 0 };
const prune = (days = 3): Promise<void> => retention.prune(COMPANY, Date.now() - days * DAY_MS, running);

describe('the retention of traces', () => {
  it('deletes the records of old closed traces of the company and of no others', async () => {
    const old = await trace(COMPANY, 4);
    const young = await trace(COMPANY, 2);
    const unfinished = await trace(COMPANY, 4, { isClosed: false });
    const foreign = await trace(OTHER, 4);
    expect(await retention.companies()).toEqual([COMPANY, OTHER]);
    await prune();
    expect(await Promise.all([old, young, unfinished, foreign].map(kept))).toEqual([
      PRUNED,
      KEPT,
      { ...KEPT, is_open: true },
      KEPT,
    ]);
  });

  it('goes on until no old trace is left', async () => {
    const old = [];
    for (let n = 0; n < 51; n++) old.push(await trace(COMPANY, 5));
    await prune(4);
    expect(await Promise.all(old.map(kept))).toEqual(old.map(() => PRUNED));
  });

  it('keeps a trace refused after that: late spans and repeats are neither stored nor reopen it', async () => {
    const record = await trace(COMPANY, 4);
    await prune();
    const refused = await arrivals.store({ companyId: COMPANY } as never, [record, recordOf(record.trace_id)]);
    expect(refused).toEqual(['its trace has ended too long ago', 'its trace has ended too long ago']);
    expect(await kept(record)).toEqual(PRUNED);
    expect(await new Assembly(open.db).due(COMPANY, Date.now(), 1000)).not.toContainEqual(
      expect.objectContaining({ trace_id: record.trace_id }),
    );
  });

  it('prunes a trace that was announced and never came', async () => {
    const announced = recordOf(traceId());
    await arrivals.expect({ companyId: COMPANY } as never, announced.trace_id, null);
    await prune(-1);
    expect(await kept(announced)).toEqual({ ...PRUNED, is_open: true });
  });

  it('forgets a trace 30 days after its records were deleted', async () => {
    const [recent, past] = [await trace(COMPANY, 4), await trace(COMPANY, 4)];
    await prune();
    await sql.query('UPDATE traffic.otel_traces SET pruned_at = pruned_at - $2::bigint WHERE trace_id = $1', [
      past.trace_id,
      31 * DAY_MS,
    ]);
    await prune();
    expect(await Promise.all([recent, past].map(kept))).toEqual([PRUNED, undefined]);
  });

  it('waits for no export whose spans are being stored, and leaves its trace alone', async () => {
    const record = await trace(COMPANY, 4);
    const storing = await sql.connect();
    await storing.query('BEGIN');
    await storing.query('SELECT FROM traffic.otel_traces WHERE trace_id = $1 FOR UPDATE', [record.trace_id]);
    await prune();
    await storing.query('ROLLBACK');
    storing.release();
    expect(await kept(record)).toEqual(KEPT);
  });
});
