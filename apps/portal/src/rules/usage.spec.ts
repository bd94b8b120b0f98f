import { changeWords, moversOf, pointPath, usageCsv, usageTable, type UsageTable } from './usage.js';

const LATENCY = { p50_ms: 100, p90_ms: 200, p95_ms: 300, first_token_p50_ms: null };
const tableOf = (costs: Record<string, (number | null)[]>): UsageTable => {
  const series = Object.entries(costs);
  const points = (of: (number | null)[]) => of.map((cost, n) => ({ timestamp: n * 3_600_000, cost }));
  return usageTable(
    {
      bucket: 'hour',
      total: 0,
      series: series.map(([key, of]) => ({
        key,
        label: key,
        points: points(of).map(({ timestamp, cost }) => ({ timestamp, count: cost === null ? 0 : 2 })),
      })),
    },
    {
      bucket: 'hour',
      total: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: null },
      series: series.map(([key, of]) => ({
        key,
        label: key,
        points: points(of).map((point) => ({ ...point, prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 })),
      })),
    },
    {
      bucket: 'hour',
      total: LATENCY,
      series: series.map(([key, of]) => ({
        key,
        label: key,
        points: points(of).map(({ timestamp }, n) => ({ ...LATENCY, timestamp, p95_ms: n === 0 ? null : 300 + n })),
      })),
    },
  );
};

describe('the table of usage', () => {
  it('sums what adds up, keeps the worst percentile, and orders by requests', () => {
    const { times, lines } = tableOf({ few: [null, 1], many: [0.5, 0.25] });
    expect(times).toEqual([0, 3_600_000]);
    expect(lines.map(({ key, requests, tokens, cost, worstP95 }) => [key, requests, tokens, cost, worstP95])).toEqual([
      ['many', 4, 6, 0.75, 301],
      ['few', 2, 6, 1, 301],
    ]);
  });

  it('has no cost where no request has a price', () => {
    expect(tableOf({ free: [null, null] }).lines[0]?.cost).toBeNull();
  });

  it('names what moved most, what is new and what is gone', () => {
    const movers = moversOf(
      tableOf({ same: [1], risen: [5], fresh: [2] }),
      tableOf({ same: [1], risen: [1], old: [1] }),
    );
    expect(movers.map(({ key, cost, costBefore }) => [key, changeWords(cost, costBefore)])).toEqual([
      ['risen', '+400 %'],
      ['fresh', 'new'],
      ['old', 'gone'],
    ]);
    expect(changeWords(1, 2)).toBe('−50 %');
    expect(changeWords(0, 0)).toBe('no change');
  });

  it('leads from a point to exactly its requests, or the runs of its group', () => {
    expect(pointPath('model', 'a&b', 3_600_000, 'hour', { application_id: '3' })).toBe(
      '/runs?application_id=3&kind=Requests&model=a%26b&start_date=3600000&end_date=7200000&sort=-cost',
    );
    expect(pointPath('agent', '7', 0, 'day')).toBe('/runs?agent_id=7&start_date=0&end_date=86400000&sort=-cost');
    expect(pointPath('release', 'live', 0, 'day', { agent_id: '7' })).toBe(
      '/runs?agent_id=7&release=live&start_date=0&end_date=86400000&sort=-cost',
    );
    expect(pointPath('agent', 'none', 0, 'day')).toBeNull();
  });

  it('leads nowhere where the list would show more than the point counts', () => {
    expect(pointPath('agent', '7', 0, 'day', { application_id: '3' })).toBeNull();
    expect(pointPath('release', 'live', 0, 'day', { model: 'x' })).toBeNull();
    expect(pointPath('workflow', '5', 0, 'day', { application_id: '3' })).toBeNull();
    expect(pointPath('model', 'x', 0, 'day', { agent_id: '7' })).toBeNull();
  });

  it('is written as CSV in which no name is a formula', () => {
    const csv = usageCsv(tableOf({ '=cmd': [1] }), () => 'a "b", c');
    expect(csv.split('\r\n')[1]).toBe('1970-01-01T00:00:00.000Z,\'=cmd,"a ""b"", c",2,3,1,100,,');
  });
});
