import { sessionPath } from './session-path.js';

describe('the address of a session', () => {
  it('names the agent, which may share the id with others', () => {
    expect(sessionPath({ session_id: 'user/42' })).toBe('/sessions/user%2F42');
    expect(sessionPath({ session_id: 'user/42', agent_id: 7 })).toBe('/sessions/user%2F42?agent_id=7');
  });
});
