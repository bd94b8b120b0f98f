import { ApiError, type Caller, Chunks, type IdempotencyClaim } from '@signalbox/contracts';
import type { IdempotencyState, IdempotencyStore } from '@signalbox/platform';
import { eventually } from '@signalbox/testing';
import { Idempotency } from '../src/calls/server/idempotency.js';
import { widgets } from './widgets.js';
import { CallLost } from '../src/resume/call-lost.js';

/** The port of the table: one claim, and what was stored of it. */
class OneClaim implements IdempotencyStore {
  readonly stored: { status: number; body: string | null; effect: boolean }[] = [];
  constructor(private readonly state: IdempotencyState = { state: 'first' }) {}

  begin(): Promise<IdempotencyState> {
    return Promise.resolve(this.state);
  }

  prolong(): Promise<void> {
    return Promise.resolve();
  }

  finish(_company: number, _claim: IdempotencyClaim, status: number, body: string | null, effect = false) {
    this.stored.push({ status, body, effect });
    return Promise.resolve();
  }
}

/** Cannot store anything at first. */
class AwayAtFirst extends OneClaim {
  private tries = 0;

  override finish(...of: Parameters<OneClaim['finish']>): Promise<void> {
    return ++this.tries < 3 ? Promise.reject(new ApiError('unavailable', 'away')) : super.finish(...of);
  }
}

const claim = { key: 'k', route: 'POST /things', bodyHash: 'h' };
const caller: Caller = {
  companyId: 1,
  keyId: 1,
  scopes: [],
  requestId: 'r',
  deadline: Date.now() + 10_000,
  idempotency: claim,
};

async function* chunksOf(...chunks: (string | Error)[]): AsyncGenerator<string> {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk;
    yield await Promise.resolve(chunk);
  }
}

const opened = (store: OneClaim, chunks: AsyncIterable<string>) =>
  new Idempotency(store).aroundChunks({ input: {}, caller }, () => Promise.resolve(new Chunks(chunks, { 'X-A': 'b' })));

async function read(chunks: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

describe('a chunked reply under an idempotency key', () => {
  it('is stored as a whole before its last chunk is sent', async () => {
    const store = new OneClaim();
    const { chunks } = await opened(store, chunksOf('a', 'b', 'c'));
    const iterator = chunks[Symbol.asyncIterator]();
    expect([(await iterator.next()).value, (await iterator.next()).value, store.stored]).toEqual(['a', 'b', []]);
    expect((await iterator.next()).value).toBe('c');
    const body = JSON.stringify({ headers: { 'X-A': 'b' }, body: 'abc' });
    expect(store.stored).toEqual([{ status: 200, body, effect: true }]);
    expect(await read({ [Symbol.asyncIterator]: () => iterator })).toEqual([]);
  });

  it.each(['unavailable', 'timeout', 'bad_upstream'] as const)(
    'stores its failure with %s as an effect',
    async (kind) => {
      const store = new OneClaim();
      const { chunks } = await opened(store, chunksOf('a', 'b', new ApiError(kind, 'broken')));
      await expect(read(chunks)).rejects.toThrow('broken');
      expect(store.stored).toEqual([
        { status: new ApiError(kind, '').status, body: expect.stringContaining('broken') as string, effect: true },
      ]);
    },
  );

  it.each([0, 1])('stores that its reader has left after %i chunks, and stops its source', async (count) => {
    const store = new OneClaim();
    let stopped = false;
    const source = chunksOf('a', 'b', 'c');
    const watched = {
      [Symbol.asyncIterator]: () => ({
        next: () => source.next(),
        return: async () => {
          stopped = true;
          return source.return(undefined);
        },
      }),
    };
    const { chunks } = await opened(store, watched);
    const iterator = chunks[Symbol.asyncIterator]();
    for (let at = 0; at < count; at++) await iterator.next();
    await iterator.return?.();
    expect([stopped, store.stored.length, store.stored[0]]).toEqual([
      true,
      1,
      { status: 504, body: expect.stringContaining('client_disconnected') as string, effect: true },
    ]);
    expect((await iterator.next()).done).toBe(true);
  });

  it('is sent to its end while it cannot be stored, and stored a little later', async () => {
    const store = new AwayAtFirst();
    const { chunks } = await opened(store, chunksOf('a', 'b'));
    expect(await read(chunks)).toEqual(['a', 'b']);
    expect(store.stored).toEqual([]);
    await eventually('the reply is stored', () => store.stored[0]?.status === 200);
  });

  it('fails with its own failure while that cannot be stored', async () => {
    const { chunks } = await opened(new AwayAtFirst(), chunksOf('a', new ApiError('bad_upstream', 'broken')));
    await expect(read(chunks)).rejects.toThrow('broken');
  });

  it('frees the key when another process continues the call', async () => {
    const store = new OneClaim();
    const { chunks } = await opened(store, chunksOf('a', new CallLost('unavailable', 'the process is stopping')));
    await expect(read(chunks)).rejects.toThrow('stopping');
    expect(store.stored).toEqual([{ status: 503, body: null, effect: false }]);
  });

  it('passes its holder, and what an earlier call has committed, to the handler', async () => {
    const seen: (IdempotencyClaim | undefined)[] = [];
    for (const state of [{ state: 'first' }, { state: 'resume', earlier: { id: 7 } }] as IdempotencyState[]) {
      const { chunks } = await new Idempotency(new OneClaim(state)).aroundChunks({ input: {}, caller }, (call) => {
        seen.push(call.caller.idempotency);
        return Promise.resolve(new Chunks(chunksOf('a')));
      });
      await read(chunks);
    }
    const held = { ...claim, holder: expect.any(String) as string };
    expect(seen).toEqual([held, { ...held, earlier: { id: 7 } }]);
  });
});

describe('a whole reply under an idempotency key', () => {
  it('is given while it cannot be stored, and stored a little later', async () => {
    const store = new AwayAtFirst();
    const call = { input: {}, caller };
    const answer = () =>
      new Idempotency(store).around(widgets.endpoints.renameWidget, call, async () => ({ text: '1' }));
    expect(await answer()).toEqual({ text: '1' });
    await eventually('the reply is stored', () => store.stored[0]?.body === JSON.stringify({ headers: {}, body: '1' }));
  });
});
