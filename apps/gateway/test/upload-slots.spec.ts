import type { IncomingMessage } from 'node:http';
import { BodyBudget } from '../src/limits/body-budget.js';
import { ConcurrencyQueue } from '../src/limits/concurrency-queue.js';
import { UploadSlots } from '../src/bodies/upload-slots.js';

const limits = { slots: 4, slotsPerKey: 2, waitMs: 20 };

/** A request of a company from an address. */
const requestOf = (companyId: number, address: string) =>
  ({ request: { id: 'r', raw: { address } }, key: { companyId } }) as unknown as Parameters<UploadSlots['hold']>[0];

function slotsOf() {
  const alone = { ...limits, slots: 1, slotsPerKey: 1 };
  const large = { companies: new ConcurrencyQueue(alone), addresses: new ConcurrencyQueue(alone) };
  const bounds = {
    budget: new BodyBudget({ total: 1_000, perAddress: 1_000 }),
    large,
    uploads: {
      companies: new ConcurrencyQueue(limits),
      addresses: new ConcurrencyQueue({ ...limits, slotsPerKey: 3 }),
    },
    addressOf: (raw: IncomingMessage) => (raw as unknown as { address: string }).address,
  };
  const slots = new UploadSlots(bounds);
  const ends: (() => void)[] = [];
  /** An upload that arrives until it is ended; its status when it is refused. */
  const upload = (companyId: number, address: string): Promise<unknown> =>
    new Promise((begun) => {
      const arriving = new Promise<void>((end) => ends.push(end));
      const work = (): Promise<void> => {
        begun('arrives');
        return arriving;
      };
      slots.hold(requestOf(companyId, address), 1, work).catch((error: { status: number }) => begun(error.status));
    });
  return { large, slots, upload, endAll: () => ends.splice(0).forEach((end) => end()) };
}

describe('uploads', () => {
  it('of one company leave slots to others, whatever its addresses, and those of large bodies', async () => {
    const { large, upload, endAll } = slotsOf();
    expect([await upload(1, 'a'), await upload(1, 'b'), await upload(1, 'c')]).toEqual(['arrives', 'arrives', 503]);
    expect(await upload(2, 'a')).toBe('arrives');
    let isFree = false;
    large.addresses.enter('a', (leave) => (isFree = leave !== null));
    expect(isFree).toBe(true);
    endAll();
    expect(await upload(1, 'c')).toBe('arrives');
    endAll();
  });

  it('whose client left while they waited for a slot take none, because nothing would end them', async () => {
    const { slots, upload, endAll } = slotsOf();
    expect([await upload(1, 'a'), await upload(1, 'b')]).toEqual(['arrives', 'arrives']);
    const left = requestOf(1, 'c');
    const waiting = slots.hold(left, 1, () => new Promise<never>(() => undefined));
    left.request.raw.destroyed = true;
    endAll();
    await expect(waiting).rejects.toMatchObject({ status: 400, message: 'the body is not complete' });
    expect([await upload(1, 'a'), await upload(1, 'b')]).toEqual(['arrives', 'arrives']);
    endAll();
  });

  it('from one address leave slots to others', async () => {
    const { upload, endAll } = slotsOf();
    expect([await upload(1, 'a'), await upload(1, 'a'), await upload(2, 'a'), await upload(2, 'a')]).toEqual([
      'arrives',
      'arrives',
      'arrives',
      503,
    ]);
    expect(await upload(2, 'b')).toBe('arrives');
    endAll();
  });
});
