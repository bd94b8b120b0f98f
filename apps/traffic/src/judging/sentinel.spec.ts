import { includeAll, type SentinelDirective } from '@signalbox/contracts';
import { patternsOf, requireMeta, settingsOf, switchSentinel, updateSentinel } from './sentinel.js';

const sentinel_directive: SentinelDirective = {
  instruction: 'polite',
  examples: [],
  qualification: { type: 'STATIC', instruction: 'refund' },
  correction: null,
  include_options: includeAll(),
};
const row = { sentinel_directive, state: 'ENABLED' as const };

describe('a sentinel', () => {
  it('merges its directive per key, and null clears one', () => {
    const { set } = updateSentinel(row, { severity: 1, sentinel_directive: { qualification: null } });
    expect(set).toEqual({ severity: 1, sentinel_directive: { ...sentinel_directive, qualification: null } });
    expect(updateSentinel(row, {})).toEqual({});
  });

  it('is enabled and disabled once', () => {
    expect(switchSentinel(row, 'DISABLED')).toMatchObject({ set: { state: 'DISABLED' }, action: 'disable' });
    expect(switchSentinel(row, 'ENABLED')).toEqual({});
  });

  it.each([
    { model: 7 },
    { model: '' },
    { temperature: 3 },
    { temperature: '0' },
    { sample_rate: 1.5 },
    { sample_rate: -1 },
  ])('refuses the configuration %j', (meta) => {
    expect(() => requireMeta(meta)).toThrow(/^meta\./);
    expect(() => updateSentinel(row, { meta })).toThrow(/^meta\./);
  });

  it('has defaults for what its configuration does not say', () => {
    expect(settingsOf({ team: 'x' })).toEqual({ model: null, temperature: 0, sampleRate: 100 });
    expect(settingsOf({ model: 'm', temperature: 1, sample_rate: 5 })).toEqual({
      model: 'm',
      temperature: 1,
      sampleRate: 5,
    });
  });

  it('has a pattern when its qualification is static', () => {
    expect(patternsOf(sentinel_directive)).toEqual(['refund']);
    expect(patternsOf({ qualification: { type: 'LLM', instruction: 'x' } })).toEqual([]);
    expect(patternsOf({})).toEqual([]);
  });
});
