import { PathTable } from './path-table.js';

const table = new PathTable([
  { path: '/agents/{agent_id}', methods: ['GET', 'PUT'], open: false },
  { path: '/agents/import', methods: ['POST'], open: false },
  { path: '/agents/{agent_id}/versions/{version}', methods: ['GET'], open: false },
  { path: '/agents/{agent_id}/versions/diff', methods: ['GET', 'DELETE'], open: false },
  { path: '/models/v1.0', methods: ['GET'], open: false },
]);

describe('the table of paths', () => {
  it.each([
    ['/agents/5', ['GET', 'PUT']],
    ['/agents/5/', ['GET', 'PUT']],
    ['/agents/import', ['POST']],
    ['/agents/5/versions/diff', ['GET', 'DELETE']],
    ['/agents/5/versions/1.0.0', ['GET']],
    ['/agents', null],
    ['/agents/5/6', null],
    ['/models/v1x0', null],
  ])('%s is served with %j', (path, methods) => expect(table.find(path)?.methods ?? null).toEqual(methods));

  it('names the methods that a literal path must refuse', () => {
    expect(table.methodsByPath()).toEqual([{ path: '/agents/import', methods: ['GET', 'PUT'], open: false }]);
  });
});
