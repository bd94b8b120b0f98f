import { idWindows, type IdRange } from './id-windows.js';

async function windowsOf(range: IdRange, order: 'ASC' | 'DESC'): Promise<IdRange[]> {
  const windows: IdRange[] = [];
  for await (const each of idWindows(range, order)) windows.push(each);
  return windows;
}

describe('the windows of a range of serial numbers', () => {
  const range = { cursor: 7, upto: 1_000_000 };

  it.each(['ASC', 'DESC'] as const)('follow each other without a gap (%s)', async (order) => {
    const windows = await windowsOf(range, order);
    const ascending = order === 'ASC' ? windows : windows.toReversed();
    expect(ascending[0]?.cursor).toBe(range.cursor);
    expect(ascending.at(-1)?.upto).toBe(range.upto);
    expect(ascending.slice(1).map(({ cursor }) => cursor)).toEqual(ascending.slice(0, -1).map(({ upto }) => upto));
    expect(windows.length).toBeGreaterThan(10);
  });

  it('are none of an empty range', async () => expect(await windowsOf({ cursor: 7, upto: 7 }, 'ASC')).toEqual([]));
});
