import { ByteShares } from './byte-shares.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const open = new AbortController().signal;

class Takers {
  readonly shares = new ByteShares({ total: 100, perCompany: 60, perHolder: 40 });
  readonly holding: string[] = [];
  private readonly gives = new Map<string, () => void>();
  private readonly holders = new Map<string, object>();

  async take(name: string, company: number, holder: string, bytes: number, signal = open): Promise<void> {
    const own = this.holders.get(holder) ?? {};
    this.holders.set(holder, own);
    void this.shares.take(company, own, bytes, signal).then(
      (give) => {
        this.holding.push(name);
        this.gives.set(name, give);
      },
      () => undefined,
    );
    await settled();
  }

  async give(name: string): Promise<void> {
    this.gives.get(name)?.();
    this.gives.get(name)?.();
    await settled();
  }
}

describe('bytes that executions hold', () => {
  let takers: Takers;
  beforeEach(() => (takers = new Takers()));

  it('are bounded for an execution and for a company, and others continue', async () => {
    await takers.take('a', 1, 'x', 40);
    await takers.take('b', 1, 'x', 1);
    await takers.take('c', 1, 'y', 20);
    await takers.take('d', 1, 'z', 1);
    await takers.take('e', 2, 'v', 40);
    expect(takers.holding).toEqual(['a', 'c', 'e']);
    await takers.give('a');
    expect(takers.holding).toEqual(['a', 'c', 'e', 'b', 'd']);
  });

  it('go to the company that holds least', async () => {
    await takers.take('a', 1, 'x', 40);
    await takers.take('b', 2, 'y', 40);
    await takers.take('c', 1, 'z', 20);
    await takers.take('d', 1, 'x2', 20);
    await takers.take('e', 3, 'v', 20);
    expect(takers.holding).toEqual(['a', 'b', 'c']);
    await takers.give('a');
    expect(takers.holding).toEqual(['a', 'b', 'c', 'e', 'd']);
  });

  it('above the bounds are held alone, and do not wait behind one that has left', async () => {
    await takers.take('a', 1, 'x', 1_000);
    const gone = new AbortController();
    await takers.take('b', 1, 'x', 1_000, gone.signal);
    await takers.take('c', 1, 'x', 10);
    expect(takers.holding).toEqual(['a']);
    gone.abort();
    await takers.give('a');
    expect(takers.holding).toEqual(['a', 'c']);
    await takers.give('c');
    await takers.take('d', 1, 'x', 40);
    expect(takers.holding).toEqual(['a', 'c', 'd']);
  });

  it('go to the oldest of a company, however many small ones come later', async () => {
    await takers.take('a', 1, 'v', 20);
    await takers.take('large', 1, 'w', 1_000);
    await takers.take('b', 1, 'x', 1);
    await takers.give('a');
    await takers.take('c', 1, 'y', 1);
    expect(takers.holding).toEqual(['a', 'large']);
    await takers.give('large');
    expect(takers.holding).toEqual(['a', 'large', 'b', 'c']);
  });

  it('go in turn to companies that hold as much', async () => {
    await takers.take('a1', 1, 'a1', 60);
    await takers.take('c1', 3, 'c1', 40);
    await takers.take('a2', 1, 'a2', 60);
    await takers.take('c2', 3, 'c2', 40);
    await takers.take('b', 2, 'b', 40);
    await takers.take('c3', 3, 'c3', 40);
    await takers.give('c1');
    await takers.give('c2');
    expect(takers.holding).toEqual(['a1', 'c1', 'c2', 'b']);
  });

  it('go on to others when the one that they wait for has left', async () => {
    await takers.take('a', 1, 'x', 60);
    const gone = new AbortController();
    await takers.take('large', 2, 'y', 60, gone.signal);
    await takers.take('b', 3, 'z', 40);
    expect(takers.holding).toEqual(['a']);
    gone.abort();
    await settled();
    expect(takers.holding).toEqual(['a', 'b']);
  });

  it('of nothing leave the bound of the company as it is', async () => {
    await takers.take('a', 1, 'x', 0);
    await takers.take('b', 1, 'y', 0);
    await takers.give('a');
    await takers.take('c', 1, 'z', 40);
    await takers.give('b');
    await takers.take('d', 1, 'v', 40);
    expect(takers.holding).toEqual(['a', 'b', 'c']);
  });

  it('are taken at once within all bounds, unless anything waits', async () => {
    const { shares } = takers;
    const [first, second] = [{}, {}];
    const give = shares.takeFree(1, first, 40);
    expect(give).toBeDefined();
    expect(shares.takeFree(1, first, 1)).toBeUndefined();
    expect(shares.takeFree(1, second, 21)).toBeUndefined();
    await takers.take('waiting', 1, 'x', 30);
    expect(shares.takeFree(2, second, 1)).toBeUndefined();
    give?.();
    await settled();
    expect(takers.holding).toEqual(['waiting']);
    expect(shares.takeFree(2, second, 1)).toBeDefined();
  });
});
