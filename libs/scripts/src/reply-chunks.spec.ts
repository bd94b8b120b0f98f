import { MAX_CHUNK_LENGTH, replyChunks, ReplyAssembly } from './reply-chunks.js';

describe('a reply to a host call', () => {
  it.each([0, 1, MAX_CHUNK_LENGTH, MAX_CHUNK_LENGTH + 1, 3 * MAX_CHUNK_LENGTH + 5])(
    'of %i characters arrives as it was, next to another one',
    (length) => {
      const text = 'ä'.repeat(length);
      const assembly = new ReplyAssembly();
      const arrived = [...replyChunks(text)].map((chunk) => {
        expect(assembly.add('other', '+x', 1_000_000)).toBeNull();
        return assembly.add('1', chunk, 1_000_000);
      });
      expect(arrived.pop()).toBe(text);
      expect(arrived.filter((each) => each !== null)).toEqual([]);
    },
  );

  it('arrives in UTF-8 wherever it is cut', () => {
    for (const text of ['', 'x', 'xx'].map((start) => start + '😀'.repeat(MAX_CHUNK_LENGTH))) {
      const assembly = new ReplyAssembly();
      const sent = [...replyChunks(text)].map((chunk) => Buffer.from(chunk).toString('utf8'));
      expect(sent.map((chunk) => assembly.add('1', chunk, text.length)).pop() === text).toBe(true);
    }
  });

  it('that is too long is refused before it is complete', () => {
    const assembly = new ReplyAssembly();
    expect(assembly.add('1', '+1234', 6)).toBeNull();
    expect(() => assembly.add('1', '+567', 6)).toThrow('the reply to host call 1 is longer than 6 characters');
  });
});
