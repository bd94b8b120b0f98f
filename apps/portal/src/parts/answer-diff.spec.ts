import { answerDiff } from './answer-diff.js';

describe('the difference of two answers', () => {
  it('is the words that only one of them has', () => {
    expect(answerDiff('It was shipped today.', 'It was lost today.')).toEqual({
      kind: 'words',
      older: [
        { text: 'It was ', isChanged: false },
        { text: 'shipped', isChanged: true },
        { text: ' today.', isChanged: false },
      ],
      newer: [
        { text: 'It was ', isChanged: false },
        { text: 'lost', isChanged: true },
        { text: ' today.', isChanged: false },
      ],
    });
  });

  it('is the fields of objects that differ', () => {
    expect(answerDiff('{"order":{"id":7,"state":"SENT"}}', '{"order":{"id":7,"state":"LOST"}}')).toEqual({
      kind: 'fields',
      changes: [{ field: 'order.state', before: 'SENT', after: 'LOST' }],
    });
  });

  it.each([
    ['a list', '[1]', '[2]'],
    ['an object and a text', '{"a":1}', 'nothing'],
  ])('is words for %s', (_what, older, newer) => {
    expect(answerDiff(older, newer).kind).toBe('words');
  });
});
