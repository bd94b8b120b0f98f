import { SearchIndex } from '../../src/search/search-index.js';
import { stemOf } from '../../src/search/search-words.js';

const none = { method: '', path: '', command: '', route: '', fields: '', family: 'x' };
const index = new SearchIndex([
  {
    ...none,
    id: 'GET /tags',
    kind: 'endpoint',
    title: 'GET /tags',
    method: 'GET',
    path: '/tags',
    summary: 'List the tags',
  },
  {
    ...none,
    id: 'POST /tags',
    kind: 'endpoint',
    title: 'POST /tags',
    method: 'POST',
    path: '/tags',
    summary: 'Create a tag',
    command: 'signalbox tags create',
  },
  {
    ...none,
    id: 'signalbox start',
    kind: 'command',
    title: 'signalbox start',
    command: 'signalbox start',
    summary: 'run the platform',
  },
]);
const titles = (question: string, surface: 'api' | 'cli' | 'all' = 'all') =>
  index.search(question, surface, 5).map(({ title }) => title);

it.each([
  ['tagging', 'tag'],
  ['tagged', 'tag'],
  ['stopped', 'stop'],
  ['criteria', 'criterion'],
  ['policies', 'policy'],
  ['class', 'class'],
])('%s has the stem %s', (word, stem) => {
  expect(stemOf(word)).toBe(stem);
});

describe('a search', () => {
  it('ranks the method that the question asks for first', () => {
    expect(titles('how do I make a new tag')).toEqual(['POST /tags', 'GET /tags']);
    expect(titles('show all tags')[0]).toBe('GET /tags');
  });

  it('looks only at the given surface', () => {
    expect(titles('run the platform', 'api')).toEqual([]);
    expect(titles('run the platform', 'cli')).toEqual(['signalbox start']);
    expect(titles('tags', 'cli')).toEqual(['POST /tags']);
  });

  it('forgives a wrong letter, scores between 0 and 1, and finds nothing for words that nothing contains', () => {
    expect(titles('run the platfrom').length).toBeGreaterThan(0);
    const [{ score } = { score: -1 }] = index.search('create a tag', 'all', 1);
    expect(score).toBeGreaterThan(0);
    expect(score).toBeLessThanOrEqual(1);
    expect(titles('zzz qqq')).toEqual([]);
    expect(titles('the of and')).toEqual([]);
  });
});
