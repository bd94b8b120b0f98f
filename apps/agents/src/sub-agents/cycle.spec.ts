import { wouldCycle } from './cycle.js';

const link = (agent_id: number, child_agent_id: number) => ({ agent_id, child_agent_id });

describe('a link to a sub-agent', () => {
  it.each([
    ['to itself', [], 1, 1, true],
    ['between unrelated agents', [], 1, 2, false],
    ['back to the parent', [link(2, 1)], 1, 2, true],
    ['back over several', [link(2, 3), link(3, 4), link(4, 1)], 1, 2, true],
    ['of a diamond', [link(1, 2), link(2, 4), link(3, 4)], 1, 3, false],
    ['into a cycle that exists elsewhere', [link(5, 6), link(6, 5)], 1, 5, false],
  ])('%s', (_name, links, parent, child, expected) => {
    expect(wouldCycle(links, parent, child)).toBe(expected);
  });
});
