import { changedTarget } from './link.js';

describe('a link to a sub-agent', () => {
  it.each([
    [{ version: '1.0.0', release: null }, {}, { version: '1.0.0', release: null }],
    [{ version: '1.0.0', release: null }, { release: 'stable' }, { version: null, release: 'stable' }],
    [{ version: null, release: 'stable' }, { version: '2.0.0' }, { version: '2.0.0', release: null }],
    [{ version: '1.0.0', release: null }, { version: null }, { version: null, release: null }],
    [{ version: null, release: 'stable' }, { version: null }, { version: null, release: 'stable' }],
    [
      { version: '1.0.0', release: null },
      { version: null, release: 'x' },
      { version: null, release: 'x' },
    ],
  ])('at %j changed by %j is at %j', (link, change, after) => {
    expect(changedTarget(link, change)).toEqual(after);
  });
});
