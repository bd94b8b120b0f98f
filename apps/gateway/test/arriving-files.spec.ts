import { PassThrough } from 'node:stream';
import { bytesOf } from '../src/bodies/upload-slots.js';

const LIMITS = { graceMs: 100, bytesPerSecond: 1000 };

async function read(content: PassThrough, onChunk: () => Promise<void> = () => Promise.resolve()): Promise<number> {
  let length = 0;
  for await (const chunk of bytesOf(content, LIMITS)) {
    length += chunk.length;
    await onChunk();
  }
  return length;
}

describe('the bytes of a file', () => {
  it('that stop to arrive are an error', async () => {
    const content = new PassThrough();
    content.write('x');
    await expect(read(content)).rejects.toMatchObject({ status: 400, message: 'the request did not arrive in time' });
  });

  it('may take the time that their number allows, and that their reader takes', async () => {
    const content = new PassThrough();
    content.write(Buffer.alloc(1000));
    // Longer than the grace: once for the reader, and once for the sender, who has a second for a thousand bytes.
    const slowly = () => new Promise<void>((resolve) => setTimeout(resolve, 200));
    const reading = read(content, slowly);
    setTimeout(() => content.end('end'), 500);
    expect(await reading).toBe(1003);
  });

  it('that end early are an error', async () => {
    const content = new PassThrough();
    const reading = read(content);
    content.destroy(new Error('reset'));
    await expect(reading).rejects.toMatchObject({ status: 400, message: 'the body is not complete' });
  });
});
