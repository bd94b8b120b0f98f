import { lockFinding } from '../src/admin/doctor/locks.js';

describe('the locks of Postgres', () => {
  it('are enough for eight statements over all days of requests, or the doctor warns', () => {
    expect(lockFinding({ lockable: 30 * 22, locks: 6400 })).toMatchObject({ state: 'ok' });
    expect(lockFinding({ lockable: 365 * 22, locks: 6400 })).toMatchObject({
      state: 'warning',
      found: '6400 for all sessions; a statement over all days of requests takes 8030',
      advice: expect.stringContaining('max_locks_per_transaction') as string,
    });
  });
});
