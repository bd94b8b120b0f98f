import { ClaimableKinds } from '../src/stores/claimable-kinds.js';

describe('the kinds that loops of a process poll for', () => {
  it('are asked for in one statement, and each loop is told of its own', async () => {
    const asked: string[][] = [];
    const kinds = new ClaimableKinds((among) => (asked.push(among), Promise.resolve(['runs', 'tags'])));
    const has = await Promise.all(['mails', 'runs', 'tags'].map((kind) => kinds.has(kind)));
    expect(has).toEqual([false, true, true]);
    expect(asked).toEqual([['mails', 'runs', 'tags']]);
    expect(await kinds.has('mails')).toBe(false);
    expect(asked).toHaveLength(2);
  });

  it('are unknown to every loop when the statement fails', async () => {
    const kinds = new ClaimableKinds(() => Promise.reject(new Error('the database is down')));
    const failed = await Promise.allSettled(['mails', 'runs'].map((kind) => kinds.has(kind)));
    expect(failed).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  });
});
