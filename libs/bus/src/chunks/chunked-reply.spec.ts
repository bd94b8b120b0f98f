import { Chunks } from '@signalbox/contracts';
import { sendChunks } from './chunked-reply.js';
import { CreditWindow, WINDOW_BYTES } from './credit-window.js';

const { jest } = import.meta;

const MIB = 1024 * 1024;
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('a chunk of a reply that is larger than the window', () => {
  const large = 'é'.repeat(2 * MIB);
  const sending = (parts: string[]) => {
    const flow = new CreditWindow();
    const sent: Uint8Array[] = [];
    const bytes = (): number => sent.reduce((sum, { length }) => sum + length, 0);
    const send = (payload: Uint8Array): void => void sent.push(payload);
    const ended = sendChunks(new Chunks(iterated(parts)), flow, send, () => undefined);
    return { flow, sent, bytes, ended };
  };

  it('is sent as its receiver reads it, whole and in order', async () => {
    const { flow, sent, bytes, ended } = sending(['first ', large, ' last']);
    const size = Buffer.byteLength(`first ${large} last`);
    for (let read = 0; read < size;) {
      await turns(10);
      const now = bytes();
      expect(now).toBeGreaterThan(read);
      expect(now - read).toBeLessThanOrEqual(WINDOW_BYTES + MIB / 2);
      flow.receive(Buffer.from(String(now - read)));
      read = now;
    }
    expect(await ended).toBe(200);
    expect(Buffer.concat(sent).toString()).toBe(`first ${large} last`);
  });

  it('is not sent to its end when the receiver has left', async () => {
    const { flow, bytes, ended } = sending([large, large]);
    await turns(10);
    flow.receive(new Uint8Array());
    expect(await ended).toBe(200);
    expect(bytes()).toBeLessThan(MIB);
  });

  it('is not sent to its end when the receiver was killed, after the longest call', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    const { flow, bytes, ended } = sending([large, large]);
    await turns(10);
    jest.advanceTimersByTime(3_600_000);
    flow.receive(Buffer.from('1'));
    await turns(10);
    jest.advanceTimersByTime(3_600_000);
    expect(flow.signal.aborted).toBe(false);
    jest.advanceTimersByTime(100_000);
    expect(await ended).toBe(200);
    expect(bytes()).toBeLessThan(MIB);
    jest.useRealTimers();
  });
});

async function* iterated(parts: string[]): AsyncGenerator<string> {
  for (const part of parts) yield await Promise.resolve(part);
}
