import { Writable } from 'node:stream';
import { arrayParameter } from './array-parameter.js';
import { sendBinding } from './bulk-statement.js';

describe('the memory of a message', () => {
  it('is reused after it is sent, and never before', () => {
    const held: { chunk: Buffer; sent: () => void }[] = [];
    const slow = () => new Writable({ write: (chunk: Buffer, _encoding, sent) => void held.push({ chunk, sent }) });
    const send = (text: string): void =>
      sendBinding(slow(), { values: [arrayParameter('text', [text])], valueMapper: () => null });
    send('first');
    send('other');
    const [first, other] = held;
    expect(first?.chunk.toString()).toContain('first');
    expect(other?.chunk.toString()).toContain('other');
    first?.sent();
    // A stream reports a completed write in the next turn.
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      send('third');
      expect(held[2]?.chunk.buffer).toBe(first?.chunk.buffer);
      expect(other?.chunk.toString()).toContain('other');
    });
  });
});
