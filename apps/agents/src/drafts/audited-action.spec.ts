import { auditedAction } from './audited-action.js';

describe('an audit entry of an action', () => {
  it('masks literal credentials and keeps placeholders and all other values', () => {
    const auth = { type: 'basic', username: 'u', password: 'p4ss', token: null };
    const headers = { Authorization: 'Bearer {{secrets.T}}', 'X-Key': 'k3y' };
    expect(auditedAction({ action_name: 'a', action_config: { endpoint: 'x', auth, headers } })).toEqual({
      action_name: 'a',
      action_config: {
        endpoint: 'x',
        auth: { type: 'basic', username: 'u', password: '[secret]', token: null },
        headers: { Authorization: 'Bearer {{secrets.T}}', 'X-Key': '[secret]' },
      },
    });
    expect(auditedAction({ action_config: null })).toEqual({ action_config: null });
  });
});
