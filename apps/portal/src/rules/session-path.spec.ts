import { sessionIdIn, sessionPath } from './session-path.js';

describe('the address of a session', () => {
  it('names the agent, which may share the id with others', () => {
    expect(sessionPath({ session_id: 'user/42' })).toBe('/sessions/user%2F42');
    expect(sessionPath({ session_id: 'user/42', agent_id: 7 })).toBe('/sessions/user%2F42?agent_id=7');
  });

  it('has every id, and one that was typed', () => {
    for (const session_id of ['user/42', '100%', 'a%2Fb', 'ä ?#'])
      expect(sessionIdIn(`/c/1${sessionPath({ session_id })}`)).toBe(session_id);
    expect(sessionIdIn('/c/1/sessions/100%')).toBe('100%');
  });
});
