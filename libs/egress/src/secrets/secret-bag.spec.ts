import { SecretBag } from './secret-bag.js';

const secrets = new SecretBag({ TOKEN: 'secret-value-0123456789' });

describe('a text that may have been cut', () => {
  it.each([
    ['whole', 'before secret-value-0123456789 after', 'before [secret] after'],
    ['cut within a secret', 'before secret-value-01…', 'before …'],
    ['cut behind a secret', 'before secret-value-0123456789 af…', 'before [secret] af…'],
    ['cut, without a secret', 'before and af…', 'before and af…'],
    ['not cut, with a first part of a secret', 'before secret-val', 'before secret-val'],
  ])('that is %s shows no secret', (_, text, expected) => {
    expect(secrets.scrubCut(text)).toBe(expected);
  });
});
