import { ChunkBuffer } from './chunk-buffer.js';

const { signal } = new AbortController();

describe('a buffer of chunks', () => {
  it('gives all that waits, in order, and then the end', async () => {
    const buffer = new ChunkBuffer<number>();
    const first = buffer.take();
    await buffer.add(1, signal);
    expect(await first).toEqual({ chunks: [1], done: false });
    await buffer.add(2, signal);
    await buffer.add(3, signal);
    buffer.end();
    expect(await buffer.take()).toEqual({ chunks: [2, 3], done: true });
  });

  it('gives what has arrived before an error', async () => {
    const buffer = new ChunkBuffer<number>();
    await buffer.add(1, signal);
    buffer.fail(new Error('broken'));
    expect(await buffer.take()).toEqual({ chunks: [1], done: false });
    await expect(buffer.take()).rejects.toThrow('broken');
  });

  it('lets a fast sender wait for its reader, until it is closed', async () => {
    const buffer = new ChunkBuffer<number>();
    const closing = new AbortController();
    let sent = 0;
    const sending = (async () => {
      for (; sent < 1000; sent++) await buffer.add(sent, closing.signal);
    })();
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBe(255);
    expect((await buffer.take()).chunks).toHaveLength(256);
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBe(511);
    closing.abort(new Error('closed'));
    await expect(sending).rejects.toThrow('closed');
  });
});
