import { SecretBag } from '@signalbox/egress';
import { stripUnstorable } from '@signalbox/runs';
import { redactedText } from '../src/models/redacted-text.js';

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function heard(text: string, size: number, secrets?: SecretBag): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of redactedText(inPieces(text, size), secrets)) pieces.push(piece);
  return pieces;
}

const TOKEN = 'tok-4f9c2d7b1e';
const bag = new SecretBag({ TOKEN });

describe('a redacted text', () => {
  it.each([1, 2, 3, 5, 13, 14, 100])('has no secret in it when it comes %i characters at a time', async (size) => {
    for (const form of [TOKEN, Buffer.from(TOKEN).toString('base64'), Buffer.from(TOKEN).toString('hex')]) {
      const text = `äh 😀, the token is ${form}, and again ${form}${form}. Done\u0000.`;
      const pieces = await heard(text, size, bag);
      expect(pieces.join('')).toBe(stripUnstorable(text, bag));
      expect(pieces.join('')).not.toContain(form.slice(0, 8));
      expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
    }
  });

  it('is let through piece by piece while it cannot be one', async () => {
    expect(await heard('äöüßäöüß', 2, bag)).toEqual(['äö', 'üß', 'äö', 'üß']);
    expect(await heard('abcd', 2)).toEqual(['ab', 'cd']);
  });

  it('keeps the end that looked like one', async () => {
    expect((await heard('it begins with tok-4f', 4, bag)).join('')).toBe('it begins with tok-4f');
  });

  it('does not let out the beginning of one when it breaks off', async () => {
    const broken = async function* (): AsyncGenerator<string> {
      yield 'the token is tok-4f9c2d';
      throw new Error('broken');
    };
    const pieces: string[] = [];
    const reading = async () => {
      for await (const piece of redactedText(broken(), bag)) pieces.push(piece);
    };
    await expect(reading()).rejects.toThrow('broken');
    expect(pieces).toEqual(['the token is ']);
  });
});
