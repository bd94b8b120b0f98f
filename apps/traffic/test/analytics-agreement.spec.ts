import { makeRequestDay } from '@signalbox/testing';
import fc from 'fast-check';
import { Pool } from 'pg';
import { Rollups } from '../src/analytics/rollups.repository.js';
import type { RequestRecord } from '../src/request-records/request-record.js';
import { RequestRetention } from '../src/requests/retention/request-retention.repository.js';
import { RecordedSessions } from '../src/session-history/recorded-sessions.repository.js';
import { mustAgree, query } from './analytics-agreement/agreement.js';
import { arbitraryEvent, BEGINS, DAY, happen, ifThere, record, recordOf } from './analytics-agreement/events.js';
import { rowsOf } from './analytics-agreement/figures.js';
import { callerOf, insert, judge, open, parts, servers } from './analytics-agreement/fixture.js';

let company = 0;

/** What applications say of all that was ever recorded under them. */
async function everRecorded(companyId: number): Promise<number> {
  const [row] = await open.db.select<{ count: number }>(
    companyId,
    `SELECT x.* FROM s, LATERAL (SELECT sum(y.request_count)::int AS count FROM traffic.recorded_activity y
       WHERE y.company_id = s.company OFFSET 0) x`,
  );
  return row?.count ?? 0;
}

describe('the figures', () => {
  it('agree with the requests after whatever has happened, over any span', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryEvent, { minLength: 2, maxLength: 14 }),
        fc.array(query, { minLength: 3, maxLength: 3 }),
        async (generated, queries) => {
          const companyId = ++company;
          const all: RequestRecord[] = [];
          for (const what of generated) await happen(companyId, all, what);
          const rows = await rowsOf(companyId);
          for (const one of queries) await mustAgree(companyId, rows, one);
        },
      ),
      { numRuns: 40, endOnFailure: true },
    );
  }, 120_000);

  it('count once what several processes deliver at the same time', async () => {
    const companyId = ++company;
    const [given] = fc.sample(fc.array(record, { minLength: 400, maxLength: 400 }), { numRuns: 1, seed: 1 });
    const all = (given ?? []).map((each) => recordOf(companyId, each));
    const batches = Array.from({ length: 24 }, (_, at) => all.filter((_each, n) => (n + at) % 5 < 2));
    const sessions = new RecordedSessions(open.db, parts);
    await Promise.all([
      ...batches.map((batch) => insert(batch)),
      ...all.slice(0, 40).map(({ request_id }) => judge(companyId, request_id, 'FAULT')),
      ...Array.from({ length: 5 }, () => new Rollups(open.db).fold(companyId)),
      ...['s1', 's2'].map((id) => ifThere(sessions.remove(callerOf(companyId), id))),
    ]);
    const rows = await rowsOf(companyId);
    expect(rows).toHaveLength(all.length);
    expect(await everRecorded(companyId)).toBe(rows.filter(({ application_id }) => application_id !== null).length);
    const ends = { start: BEGINS - DAY, end: BEGINS + 9 * DAY };
    for (const narrowing of [{}, { model: 'a' }])
      await mustAgree(companyId, rows, { ends, bucket: 'day', group_by: 'intent', narrowing });
  }, 60_000);

  it('forget a day with its partition, and no other', async () => {
    const companyId = ++company;
    const first = Date.parse('2024-03-01T00:00:00Z');
    const client = new Pool({ connectionString: servers.postgres.url, max: 1 });
    await makeRequestDay(client, first);
    await client.end();
    const [given] = fc.sample(fc.array(record, { minLength: 60, maxLength: 60 }), { numRuns: 1, seed: 2 });
    const shifted = (given ?? []).map((each) => ({ ...each, date_created: first + (each.date_created % (2 * DAY)) }));
    await insert(shifted.map((each) => recordOf(companyId, each)));
    const ends = { start: first - 5, end: first + 3 * DAY };
    const look = async () => {
      const rows = await rowsOf(companyId);
      await mustAgree(companyId, rows, { ends, bucket: 'hour', group_by: 'none', narrowing: {} });
      return rows.length;
    };
    expect(await look()).toBe(60);
    for (const { request_id } of await rowsOf(companyId)) await judge(companyId, request_id, 'FAULT');
    const resultDays = async (): Promise<Set<boolean>> => {
      const results = await open.db.select<{ request_date: number }>(
        companyId,
        'SELECT x.* FROM s, LATERAL (SELECT t.request_date FROM traffic.evaluation_results t WHERE t.company_id = s.company OFFSET 0) x',
      );
      return new Set(results.map(({ request_date: at }) => at < first + DAY));
    };
    expect(await resultDays()).toEqual(new Set([true, false]));
    const retention = new RequestRetention(open.db, parts);
    const day = { starts: first, hasPartition: true };
    // As a pass that began before these requests arrived.
    await expect(retention.drop({ ...day, companies: [] })).rejects.toThrow(`company ${companyId} has requests`);
    expect(await look()).toBe(60);
    await retention.drop({ ...day, companies: [companyId] });
    expect(await look()).toBeLessThan(60);
    expect(await resultDays()).toEqual(new Set([false]));
    await insert(shifted.filter(({ date_created: at }) => at >= first + DAY).map((each) => recordOf(companyId, each)));
    expect(await look()).toBeGreaterThan(0);
  }, 60_000);
});
