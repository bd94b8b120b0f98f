import type { Page } from 'playwright-core';

const task = (n: number, total: number): object => ({
  id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  agent_id: 1,
  agent_name: 'Clerk',
  status: n % 7 === 0 ? 'FAILED' : 'COMPLETED',
  failure_class: n % 7 === 0 ? 'provider' : null,
  error_code: null,
  first_message: `message ${n}`,
  version: '1.0.0',
  release: null,
  trigger: 'API',
  duration_ms: 1000 + n,
  cost: 0.01,
  date_created: Date.now() - (total - n) * 1000,
});

/** Lets the list of runs have any number of rows: the share of the server has other benches. */
export async function mockRuns(page: Page, total: number): Promise<void> {
  await page.route(/\/api\/v1\/agents\/tasks\?/, async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 25)];
    const rows = Math.max(0, Math.min(limit, total - offset));
    const data = Array.from({ length: rows }, (_, n) => task(offset + n, total));
    await route.fulfill({ json: { data, pagination: { total, offset, limit, returned: rows } } });
  });
}
