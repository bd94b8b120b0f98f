import type { CompletionCall } from '@signalbox/contracts';
import type { Overrides } from '../../config/index.js';
import { configured } from './configured-call.js';

const user = { role: 'user' as const, content: 'hi' };
const call = (more: Partial<CompletionCall> = {}): CompletionCall => ({
  messages: [user],
  return_evaluation: false,
  ...more,
});

describe('a call under a configuration', () => {
  it.each<[string, Partial<CompletionCall>, Overrides, object]>([
    [
      'inherits a parameter that it does not set',
      {},
      { temperature: 0.2, n: 2, stop: ['x'] },
      { temperature: 0.2, n: 2, stop: ['x'] },
    ],
    ['keeps a parameter that it sets', { temperature: 0 }, { temperature: 0.2 }, { temperature: 0 }],
    ['inherits a parameter that is null', { top_p: null }, { top_p: 0.5 }, { top_p: 0.5 }],
    ['has no parameter that neither sets', {}, {}, {}],
    [
      'keeps its own limit under either name',
      { max_completion_tokens: 5 },
      { max_tokens: 9 },
      { max_completion_tokens: 5 },
    ],
    [
      'merges metadata, its own first',
      { metadata: { a: 1 } },
      { metadata: { a: 2, b: 2 } },
      { metadata: { a: 1, b: 2 } },
    ],
    ['inherits the model', {}, { model: 'm' }, { model: 'm' }],
    ['keeps its model', { model: 'own' }, { model: 'm' }, { model: 'own' }],
  ])('%s', (_what, given, config, expected) => {
    expect(configured(call(given), config).call).toEqual({ ...call(given), ...expected });
  });

  it.each<[string, CompletionCall['messages'], boolean]>([
    ['first when there is no system message', [user], true],
    ['not together with a system message', [{ role: 'system', content: 'own' }, user], false],
    ['not together with a developer message', [user, { role: 'developer', content: 'own' }], false],
  ])('has the system prompt %s', (_where, messages, put) => {
    const prompt = { role: 'system', content: 'be brief' };
    expect(configured(call({ messages }), { system_prompt: 'be brief' }).call.messages).toEqual([
      ...(put ? [prompt] : []),
      ...messages,
    ]);
  });

  it('has the time limit of its scope, else a minute', () => {
    expect(configured(call(), {}).limitMs).toBe(60_000);
    expect(configured(call(), { timeout_ms: 100 }).limitMs).toBe(100);
  });

  it.each<[Partial<CompletionCall>, Overrides, boolean]>([
    [{ safe_mode: true }, {}, false],
    [{ safe_mode: true }, { apply_corrections: true }, true],
    [{ safe_mode: true, apply_corrections: true }, {}, true],
    [{ apply_corrections: true }, { evaluation_enabled: false }, false],
    [{ evaluation_enabled: false }, { apply_corrections: true }, true],
    [{}, { apply_corrections: true, evaluation_enabled: false }, true],
  ])('%j under %j is allowed: %p', (given, config, allowed) => {
    const attempt = () => configured(call(given), config);
    if (allowed) expect(attempt).not.toThrow();
    else expect(attempt).toThrow('the call contradicts its configuration');
  });
});
