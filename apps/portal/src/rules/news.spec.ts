import { newsOf } from './news.js';

const page = (ids: string[], total = ids.length) => ({
  data: ids.map((id) => ({ id, read: total })),
  pagination: { total },
});
const keyOf = ({ id }: { id: string }) => id;

describe('the news of a list', () => {
  it('are the rows above the first one that is known', () => {
    const { count, fresh } = newsOf(page(['c', 'b', 'a']), page(['e', 'd', 'c', 'b', 'a']), keyOf, true);
    expect(count).toBe(2);
    expect(fresh.get('b')?.read).toBe(5);
  });

  it('are none when a row has left the filter and another has moved up', () =>
    expect(newsOf(page(['c', 'b'], 4), page(['b', 'a'], 3), keyOf, true)).toMatchObject({
      count: 0,
      hasChanged: true,
    }));

  it('are a whole page when none is known any more', () =>
    expect(newsOf(page(['a']), page(['c', 'b'], 3), keyOf, true).count).toBe(2));

  it('are counted by the total in another order', () => {
    expect(newsOf(page(['a'], 7), page(['z', 'a'], 9), keyOf, false).count).toBe(2);
    expect(newsOf(page(['a'], 7), page(['a'], 6), keyOf, false)).toMatchObject({ count: 0, hasChanged: true });
  });
});
