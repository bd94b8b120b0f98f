import { forEachCompany } from './for-each-company.js';

const failed = 'old things could not be deleted';

describe('a pass over companies', () => {
  it('serves those behind one that fails, and says which', async () => {
    const served: number[] = [];
    const lines: unknown[] = [];
    const error = new Error('the database took too long');
    const logger = { warn: (...line: unknown[]) => void lines.push(line) };
    const failures = await forEachCompany(
      [1, 2, 3],
      { logger, stop: new AbortController().signal, failed },
      (companyId) => {
        if (companyId === 1) return Promise.reject(error);
        served.push(companyId);
        return Promise.resolve();
      },
    );
    expect(served).toEqual([2, 3]);
    expect(failures).toBe(1);
    expect(lines).toEqual([[{ error, company_id: 1 }, failed]]);
  });

  it('ends between two companies when the process stops', async () => {
    const served: number[] = [];
    const stop = new AbortController();
    await forEachCompany([1, 2], { logger: { warn: () => undefined }, stop: stop.signal, failed }, (companyId) => {
      served.push(companyId);
      stop.abort();
      return Promise.resolve();
    });
    expect(served).toEqual([1]);
  });
});
