import { type IdOrder, idWindows, type IdRange } from './id-windows.js';

/** Rows at every thousandth number. */
const APART = 1000;
const ROWS = 100_000;
const range = { cursor: APART - 1, upto: ROWS * APART };

async function windowsOf(given: IdRange, order: IdOrder): Promise<IdRange[]> {
  const windows: IdRange[] = [];
  const end = ({ cursor, upto }: IdRange, rows: number): Promise<number | null> => {
    const at =
      order === 'ASC' ? (Math.floor(cursor / APART) + rows) * APART : (Math.floor(upto / APART) - rows) * APART;
    return Promise.resolve(at > cursor && at <= upto ? at : null);
  };
  for await (const each of idWindows(given, order, end)) windows.push(each);
  return windows;
}

const rowsIn = ({ cursor, upto }: IdRange): number => Math.floor(upto / APART) - Math.floor(cursor / APART);

describe('the windows of a range of serial numbers', () => {
  it.each(['ASC', 'DESC'] as const)('follow each other without a gap (%s)', async (order) => {
    const windows = await windowsOf(range, order);
    const ascending = order === 'ASC' ? windows : windows.toReversed();
    expect(ascending[0]?.cursor).toBe(range.cursor);
    expect(ascending.at(-1)?.upto).toBe(range.upto);
    expect(ascending.slice(1).map(({ cursor }) => cursor)).toEqual(ascending.slice(0, -1).map(({ upto }) => upto));
  });

  it.each(['ASC', 'DESC'] as const)('have a bounded number of rows, however far apart they are (%s)', async (order) => {
    const rows = (await windowsOf(range, order)).map(rowsIn);
    expect(rows[0]).toBe(5000);
    expect(Math.max(...rows)).toBeLessThanOrEqual(80_000);
    expect(rows.reduce((sum, each) => sum + each, 0)).toBe(ROWS);
    expect(rows.length).toBeLessThanOrEqual(ROWS / 5000);
  });

  it('are none of an empty range', async () => expect(await windowsOf({ cursor: 7, upto: 7 }, 'ASC')).toEqual([]));
});
