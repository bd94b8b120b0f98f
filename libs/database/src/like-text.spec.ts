import { likeText, likeTextInJson } from './like-text.js';

describe('a text that is searched for', () => {
  it('is found literally', () => expect(likeText('50%_\\')).toBe('%50\\%\\_\\\\%'));

  it('is found as it is written in JSON', () => expect(likeTextInJson('a "b"\n')).toBe('%a \\\\"b\\\\"\\\\n%'));
});
