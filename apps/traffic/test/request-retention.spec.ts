import { randomUUID } from 'node:crypto';
import { companies } from '@signalbox/contracts';
import { eventually, makeRequestDay, requestDay } from '@signalbox/testing';
import { rowsOf, startTraffic, type Traffic, withModel } from './traffic.js';

let traffic: Traffic;
beforeAll(async () => {
  traffic = await startTraffic();
}, 60_000);
afterAll(() => traffic.stop());

describe('retention', () => {
  it('deletes what companies do not keep, day by day, and drops days that no company keeps', async () => {
    const { platform } = traffic;
    const keeper = (await withModel(traffic)).companyId;
    const leaver = (await withModel(traffic)).companyId;
    const settings = { settings: { retention_days: { requests: 3 } } };
    await platform.bus.call(companies.endpoints.updateCompany, settings, platform.caller(leaver));
    const DAY = 86_400_000;
    const today = Math.floor(Date.now() / DAY) * DAY;
    const insert = async (companyId: number, at: number) =>
      platform.sql.query(
        `INSERT INTO traffic.requests (company_id, request_id, request_type, model, provider, params, status, prompt_tokens,
           completion_tokens, total_tokens, metadata, date_created)
         VALUES ($1, $2, 'PROD', 'm', 'p', '{}', 'COMPLETED', 0, 0, 0, '{}', $3)`,
        [companyId, randomUUID(), at],
      );
    for (const back of [10, 11]) await makeRequestDay(platform.sql, today - back * DAY);
    await insert(leaver, today - 10 * DAY + 5);
    await insert(keeper, today - 10 * DAY + 5);
    await insert(leaver, today - 11 * DAY + 5);
    await insert(leaver, today + 5);
    for (const companyId of [leaver, keeper])
      await platform.sql.query(
        `INSERT INTO traffic.otel_traces (company_id, trace_id, first_arrival, last_arrival, closed_at)
         VALUES ($1, 'old', $2, $2, $2)`,
        [companyId, today - 10 * DAY],
      );
    await platform.service('traffic').kill('SIGTERM');
    await platform.service('traffic').start();
    const left = await eventually('the old ones are gone', async () => {
      const rows = [...(await rowsOf(traffic, leaver)), ...(await rowsOf(traffic, keeper))];
      return rows.length === 2 ? rows : undefined;
    });
    expect(left.map(({ company_id, date_created }) => [company_id, Number(date_created)])).toEqual([
      [leaver, today + 5],
      [keeper, today - 10 * DAY + 5],
    ]);
    const there = async (back: number) => {
      const { rows } = await platform.sql.query('SELECT to_regclass($1) IS NOT NULL AS there', [
        `traffic.${requestDay(today - back * DAY)}`,
      ]);
      return rows[0].there as boolean;
    };
    expect([await there(10), await there(11)]).toEqual([true, false]);
    await eventually('the old trace is pruned', async () => {
      const { rows } = await platform.sql.query<{ company_id: number }>(
        "SELECT company_id FROM traffic.otel_traces WHERE trace_id = 'old' AND pruned_at IS NOT NULL",
      );
      return rows.length === 1 && rows[0]?.company_id === leaver;
    });
  });
});
