import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { BodyReader, SMALL_BYTES } from '../src/bodies/body-reader.js';
import { BodyBudget } from '../src/limits/body-budget.js';
import { ConcurrencyQueue } from '../src/limits/concurrency-queue.js';

const MIB = 1_048_576;
const limits = { slots: 4, slotsPerKey: 2, waitMs: 20 };

interface Arriving {
  raw: PassThrough;
  /** Its bytes once it has arrived, or the status of its refusal. */
  outcome: Promise<number>;
}

function readerOf() {
  const slots = { companies: new ConcurrencyQueue(limits), addresses: new ConcurrencyQueue(limits) };
  const reader = new BodyReader({
    budget: new BodyBudget({ total: 100 * MIB, perAddress: 100 * MIB }),
    large: {
      companies: new ConcurrencyQueue({ ...limits, slots: Infinity }),
      addresses: new ConcurrencyQueue({ ...limits, slotsPerKey: 3 }),
    },
    uploads: slots,
    addressOf: (raw) => (raw as unknown as { address: string }).address,
  });
  /** Sends a little more than what is read without a slot, and then nothing. */
  return async (companyId: number | null, address: string): Promise<Arriving> => {
    const raw = Object.assign(new PassThrough({ highWaterMark: 4 * MIB }), { headers: {}, address });
    const begun = once(raw, 'data');
    const incoming = { raw: raw as unknown as IncomingMessage, response: { closed: true } as never, companyId };
    const outcome = reader.read(incoming, 10 * MIB).then(
      (bytes) => bytes.length,
      ({ status }: { status: number }) => status,
    );
    raw.write(Buffer.alloc(SMALL_BYTES + 1));
    await begun;
    return { raw, outcome };
  };
}

/** Sends the rest of bodies; their outcomes. */
const ended = (...bodies: Arriving[]): Promise<number[]> => {
  for (const { raw } of bodies) raw.end('x');
  return Promise.all(bodies.map(({ outcome }) => outcome));
};
const ARRIVED = SMALL_BYTES + 2;

describe('large bodies', () => {
  it('of one company leave slots to others, whatever its addresses', async () => {
    const send = readerOf();
    const stalled = [await send(1, 'a'), await send(1, 'b')];
    expect(await ended(await send(1, 'c'))).toEqual([503]);
    expect(await ended(await send(2, 'c'), await send(3, 'a'))).toEqual([ARRIVED, ARRIVED]);
    expect(await ended(...stalled)).toEqual([ARRIVED, ARRIVED]);
    expect(await ended(await send(1, 'a'), await send(1, 'c'))).toEqual([ARRIVED, ARRIVED]);
  });

  it('from one address leave slots to others, and waiting for an address keeps no slot of another company', async () => {
    const send = readerOf();
    const stalled = [await send(1, 'a'), await send(2, 'a'), await send(3, 'a')];
    const waiting = [await send(4, 'a'), await send(5, 'a')];
    expect(await ended(await send(6, 'b'))).toEqual([ARRIVED]);
    expect(await Promise.all(waiting.map(({ outcome }) => outcome))).toEqual([503, 503]);
    expect(await ended(...stalled)).toEqual([ARRIVED, ARRIVED, ARRIVED]);
    const one = [await send(4, 'a'), await send(4, 'a')];
    expect(await ended(...one)).toEqual([ARRIVED, ARRIVED]);
  });

  it('that wait for a slot are read once one is free', async () => {
    const send = readerOf();
    const first = await send(1, 'a');
    const second = await send(1, 'a');
    const third = await send(1, 'b');
    expect(third.raw.isPaused()).toBe(true);
    expect(await ended(first, third, second)).toEqual([ARRIVED, ARRIVED, ARRIVED]);
  });
});
