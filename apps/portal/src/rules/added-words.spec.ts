import { addedWords } from './added-words.js';

describe('what an import came to', () => {
  it('is said in numbers', () =>
    expect(addedWords({ created: 3, existing: 0, failed: [] })).toBe('3 added, 0 were there already.'));

  it('names what could not be added', () =>
    expect(addedWords({ created: 1200, existing: 1, failed: [1, 2] })).toBe(
      '1,200 added, 1 was there already, 2 could not be added.',
    ));
});
