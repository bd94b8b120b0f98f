import { CONFIG_DEFAULTS, type ConfigSource } from '@signalbox/contracts';
import {
  changed,
  dropped,
  inherited,
  type Layer,
  modelFieldsOf,
  type Overrides,
  overridesOf,
  unmetNeeds,
  viewOf,
} from './config.js';

const layer = (from: ConfigSource, config: Overrides): Layer => ({ from, config });

describe('a configuration', () => {
  it('keeps values and drops null', () => {
    expect(overridesOf({ temperature: 0, logprobs: false, model: null, stop: [] })).toEqual({
      temperature: 0,
      logprobs: false,
      stop: [],
    });
  });

  it.each<[string, Overrides, object, Overrides, string[]]>([
    ['a new field', {}, { temperature: 0 }, { temperature: 0 }, ['temperature']],
    ['an absent field', { top_p: 0.5 }, { temperature: 1 }, { top_p: 0.5, temperature: 1 }, ['temperature']],
    ['null', { top_p: 0.5, n: 2 }, { top_p: null }, { n: 2 }, ['top_p']],
    ['null for an absent field', {}, { top_p: null }, {}, []],
    ['the same value', { top_p: 0.5 }, { top_p: 0.5 }, { top_p: 0.5 }, []],
    ['the same object', { metadata: { a: 1, b: 2 } }, { metadata: { b: 2, a: 1 } }, { metadata: { b: 2, a: 1 } }, []],
    ['an object, as a whole', { metadata: { a: 1 } }, { metadata: { b: 2 } }, { metadata: { b: 2 } }, ['metadata']],
  ])('merges %s', (_what, stored, change, config, fields) => {
    expect(changed(stored, change)).toEqual({ config, changed: fields });
  });

  it('can be dropped as a whole', () => {
    expect(dropped({ metadata: {}, model: 'm' })).toEqual({ config: {}, changed: ['metadata', 'model'] });
    expect(dropped({})).toEqual({ config: {}, changed: [] });
  });

  it.each<[string, Layer[], number, ConfigSource]>([
    ['its own', [layer('intent', { temperature: 0.1 }), layer('application', { temperature: 0.3 })], 0.1, 'intent'],
    [
      'the nearest that sets the field',
      [layer('intent', {}), layer('intent_group', { temperature: 0.2 }), layer('application', { temperature: 0.3 })],
      0.2,
      'intent_group',
    ],
    [
      'the farthest',
      [layer('intent', {}), layer('intent_group', {}), layer('application', { temperature: 0.3 })],
      0.3,
      'application',
    ],
    ['the default', [layer('application', {})], 1, 'default'],
  ])('takes %s', (_what, layers, temperature, from) => {
    const view = viewOf(layers);
    expect(view.effective_config).toEqual({ ...CONFIG_DEFAULTS, temperature });
    expect(view.inherited_from.temperature).toBe(from);
    expect(view.inherited_from.model).toBe('default');
    expect(view.config).toEqual(layers[0]?.config);
  });

  it('inherits field by field', () => {
    expect(inherited([layer('intent', { n: 2 }), layer('application', { n: 3, top_p: 0.5 })])).toEqual({
      n: 2,
      top_p: 0.5,
    });
  });

  it.each<[Overrides, string[]]>([
    [{}, []],
    [{ apply_corrections: true }, []],
    [{ safe_mode: true }, ['safe_mode']],
    [{ safe_mode: true, apply_corrections: true }, []],
    [{ apply_corrections: true, evaluation_enabled: false }, ['apply_corrections']],
    [{ safe_mode: true, apply_corrections: true, evaluation_enabled: false }, ['apply_corrections']],
    [{ evaluation_enabled: false }, []],
  ])('%j contradicts itself in %j', (config, fields) => {
    expect(unmetNeeds(config).map(({ field }) => field)).toEqual(fields);
  });

  it('lists its models once', () => {
    const fallback_config = { model: 'b', strategy: 'reactive' as const, timeout_ms: 100 };
    const fallbackAttempt = { field: 'fallback_config.model', model: 'b' };
    expect(modelFieldsOf({ model: 'a', fallback_config })).toEqual([{ field: 'model', model: 'a' }, fallbackAttempt]);
    expect(modelFieldsOf({ fallback_config })).toEqual([fallbackAttempt]);
    expect(modelFieldsOf({})).toEqual([]);
  });
});
