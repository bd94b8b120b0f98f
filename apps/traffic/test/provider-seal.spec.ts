import { ProviderSeal } from '../src/providers/provider-seal.js';

const seal = new ProviderSeal(['ab'.repeat(32)]);
const place = { companyId: 1, providerId: 2, field: 'api_key' as const };

describe('a sealed credential', () => {
  it('opens where it was sealed and never looks the same twice', () => {
    const sealed = seal.seal(place, 'sk-1');
    expect(seal.open(place, sealed)).toBe('sk-1');
    expect(seal.seal(place, 'sk-1').equals(sealed)).toBe(false);
    expect(sealed.includes('sk-1')).toBe(false);
  });

  it.each([
    ['another company', { ...place, companyId: 2 }],
    ['another provider', { ...place, providerId: 3 }],
    ['another field', { ...place, field: 'default_headers' as const }],
  ])('does not open in %s', (_name, other) => {
    expect(() => seal.open(other, seal.seal(place, 'sk-1'))).toThrow();
  });

  it('does not open changed, under another key or with an unknown version', () => {
    const sealed = seal.seal(place, 'sk-1');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(() => seal.open(place, changed)).toThrow();
    }
    expect(() => new ProviderSeal(['cd'.repeat(32)]).open(place, sealed)).toThrow();
  });
});
