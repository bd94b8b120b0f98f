import { ApiError } from '@signalbox/contracts';
import { type ActionState, newAction, switchAction, updateAction } from './action.js';

const api = { endpoint: 'https://api.example.com/orders/{id}' };
const action = (change: Partial<ActionState> = {}): ActionState => ({
  action_type: 'api',
  action_config: api,
  enabled: true,
  is_default: false,
  invocation_mode: 'foreground',
  ...change,
});

function refusal(run: () => unknown): { status: number; field: string | undefined } {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, field: error.extras.details?.[0]?.field };
    throw error;
  }
  throw new Error('no error was thrown');
}

describe('an action', () => {
  it.each<[string, Partial<ActionState>]>([
    ['an api call to a fixed host', {}],
    ['a relative endpoint', { action_config: { endpoint: 'orders/{id}' } }],
    ['placeholders in auth', { action_config: { ...api, auth: { type: 'bearer', token: '{{secrets.T}}' } } }],
    ['placeholders in headers', { action_config: { ...api, headers: { 'X-Key': '{{secrets.T}}' } } }],
    ['a model call', { action_type: 'llm', action_config: { prompt: 'Say hi' } }],
    ['a waiting webhook', { action_type: 'webhook', action_config: { ...api, mode: 'callback' } }],
    ['an outbound webhook in the background', { action_type: 'webhook', invocation_mode: 'background' }],
    ['no configuration yet', { action_config: null }],
    ['a default in the foreground', { is_default: true }],
  ])('may be %s', (_name, change) => expect(newAction(action(change))).toMatchObject({ enabled: true }));

  it.each<[string, Partial<ActionState>, number, string | undefined]>([
    ['a background default', { is_default: true, invocation_mode: 'background' }, 400, 'is_default'],
    [
      'a background webhook that waits',
      { action_type: 'webhook', action_config: { ...api, mode: 'callback' }, invocation_mode: 'background' },
      400,
      'invocation_mode',
    ],
    ['a call without endpoint', { action_config: {} }, 400, 'action_config.endpoint'],
    ['a model call without prompt', { action_type: 'llm', action_config: {} }, 400, 'action_config.prompt'],
    ['an unknown field', { action_config: { ...api, url: 'x' } }, 400, 'action_config.url'],
    ['another scheme', { action_config: { endpoint: 'file:///etc/passwd' } }, 400, 'action_config.endpoint'],
    ['a script scheme', { action_config: { endpoint: 'javascript:alert(1)' } }, 400, 'action_config.endpoint'],
    ['a host from arguments', { action_config: { endpoint: 'https://{h}/x' } }, 400, 'action_config.endpoint'],
    ['a port from arguments', { action_config: { endpoint: 'https://a.b:{p}/x' } }, 400, 'action_config.endpoint'],
    ['another host by leading slashes', { action_config: { endpoint: '//evil/x' } }, 400, 'action_config.endpoint'],
    ['credentials in the URL', { action_config: { endpoint: 'https://u:p@a.b/' } }, 400, 'action_config.endpoint'],
    ['a base of another scheme', { action_config: { ...api, base_url: 'ftp://a.b' } }, 400, 'action_config.base_url'],
    ['a base from arguments', { action_config: { ...api, base_url: 'https://{h}' } }, 400, 'action_config.base_url'],
    [
      'a placeholder in the endpoint',
      { action_config: { endpoint: 'https://a.b/{{secrets.T}}' } },
      400,
      'action_config.endpoint',
    ],
    [
      'a placeholder in the body',
      { action_config: { ...api, body: { t: '{{ secrets.T }}' } } },
      400,
      'action_config.body.t',
    ],
    [
      'a placeholder in a prompt',
      { action_type: 'llm', action_config: { prompt: '{{secrets.T}}' } },
      400,
      'action_config.prompt',
    ],
  ])('may not have %s', (_name, change, status, field) => {
    expect(refusal(() => newAction(action(change)))).toEqual({ status, field });
  });

  it('is stored with the defaults of its type', () => {
    expect(newAction(action()).action_config).toMatchObject({ ...api, method: 'POST', timeout_ms: 30_000 });
  });
});

describe('an update of an action', () => {
  it.each<[string, Partial<ActionState>, object, string | undefined]>([
    ['of the type alone has to fit the stored configuration', {}, { action_type: 'llm' }, 'action_config.endpoint'],
    ['to background is refused for a default', { is_default: true }, { invocation_mode: 'background' }, 'is_default'],
    [
      'to background is refused for a webhook that waits',
      { action_type: 'webhook', action_config: { ...api, mode: 'callback' } },
      { invocation_mode: 'background' },
      'invocation_mode',
    ],
    ['to default is refused in the background', { invocation_mode: 'background' }, { is_default: true }, 'is_default'],
  ])('%s', (_name, state, change, field) => {
    expect(refusal(() => updateAction(action(state), change)).field).toBe(field);
  });

  it('replaces the configuration as a whole, and leaves it unchanged when it is not validated again', () => {
    const set = updateAction(action(), { action_config: { endpoint: 'x' } }).set;
    expect(set?.action_config).toMatchObject({ endpoint: 'x', method: 'POST' });
    expect(updateAction(action(), { description: 'd' })).toEqual({
      set: { description: 'd' },
      events: [{ event: 'agent_action.updated' }],
    });
  });

  it('emits an additional event for a switch, and none for an empty update', () => {
    expect(updateAction(action(), { enabled: false }).events).toEqual([
      { event: 'agent_action.updated' },
      { event: 'agent_action.disabled' },
    ]);
    expect(updateAction(action(), {})).toEqual({});
  });
});

describe('a switch', () => {
  it.each([
    [true, true, undefined, undefined],
    [true, false, 'agent_action.disabled', 'disable'],
    [false, true, 'agent_action.enabled', 'enable'],
    [false, false, undefined, undefined],
  ])('from %s to %s emits %s', (from, to, event, audit) => {
    const decision = switchAction({ enabled: from }, to);
    expect(decision.events?.[0]?.event).toBe(event);
    expect(decision.action).toBe(audit);
  });
});
