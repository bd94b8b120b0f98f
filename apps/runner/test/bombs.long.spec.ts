import { bombing, medianMs, undefused } from './bombing.js';
import { BOMBS } from './corpus/bombs.js';

describe('all bombs of one company', () => {
  it('are ended, while the scripts of another company start at once and succeed', async () => {
    expect(BOMBS).toHaveLength(40);
    const result = await bombing(BOMBS);
    expect(undefused(result)).toEqual([]);
    expect(result.neighbours.filter(({ status }) => status !== 'completed')).toEqual([]);
    expect(result.neighbours.length).toBeGreaterThan(20);
    expect(medianMs(result)).toBeLessThan(1000);
    const slowest = Math.max(...result.neighbours.map(({ ms }) => ms));
    expect(slowest).toBeLessThan(3000);
    expect(result.after).toMatchObject([{ output: 1 }, { output: 1 }]);
  }, 240_000);
});
