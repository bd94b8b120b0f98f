import { ByteShares } from './byte-shares.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const open = new AbortController().signal;

/** Takes bytes one after the other, and records which have them. */
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
});
