import { KeyCache, type KnownKey } from './key-cache.js';

const key: KnownKey = { companyId: 1, keyId: 7, scopes: ['read'], expiresAt: null };

describe('the key cache', () => {
  it('caches a key for less than 5 s and a wrong key for less than 1 s', () => {
    const cache = new KeyCache();
    cache.put('good', key, cache.version, 0);
    cache.put('bad', null, cache.version, 0);
    expect([cache.get('good', 3999), cache.get('good', 4000)]).toEqual([key, undefined]);
    expect([cache.get('bad', 999), cache.get('bad', 1000)]).toEqual([null, undefined]);
    expect(cache.get('other', 0)).toBeUndefined();
  });

  it('stays fresh for an open stream that looks a key up, and not for calls', () => {
    const cache = new KeyCache();
    cache.put('good', key, cache.version, 0);
    cache.putWatched('good', key, cache.version, 3000);
    expect([cache.get('good', 3999), cache.get('good', 4000)]).toEqual([key, undefined]);
    expect([cache.watched('good', 6999), cache.watched('good', 7000)]).toEqual([key, undefined]);
    cache.putWatched('good', null, cache.version, 7000);
    expect([cache.get('good', 7001), cache.watched('good', 7001)]).toEqual([null, null]);
  });

  it('does not outlive the key', () => {
    const cache = new KeyCache();
    cache.put('good', { ...key, expiresAt: 100 }, cache.version, 0);
    expect([cache.get('good', 99), cache.get('good', 100)]).toEqual([{ ...key, expiresAt: 100 }, undefined]);
  });

  it('invalidates only the changed key, also while its look-up is in progress', () => {
    const cache = new KeyCache();
    cache.put('other', { ...key, keyId: 8 }, cache.version, 0);
    cache.put('good', key, cache.version, 0);
    const versionBefore = cache.version;
    cache.forget(7);
    cache.put('late', key, versionBefore, 0);
    expect([cache.get('good', 1), cache.get('late', 1), cache.get('other', 1)?.keyId]).toEqual([
      undefined,
      undefined,
      8,
    ]);
  });

  it('is bounded, and unknown keys do not evict good keys', () => {
    const cache = new KeyCache();
    cache.put('good', key, cache.version, 0);
    for (let at = 0; at < 20_000; at++) cache.put(`guess ${at}`, null, cache.version, 0);
    expect(cache.get('good', 1)).toEqual(key);
    expect(cache.get('guess 0', 1)).toBeUndefined();
    expect(cache.get('guess 19999', 1)).toBeNull();
    cache.expireAll();
    expect(cache.get('good', 1)).toBeUndefined();
  });

  it('retains a good key for 15 minutes for when it cannot be confirmed', () => {
    const cache = new KeyCache();
    cache.put('good', key, cache.version, 0);
    expect([cache.get('good', 10_000), cache.stale('good', 899_999)]).toEqual([undefined, key]);
    expect(cache.stale('good', 900_000)).toBeUndefined();
    cache.extendStale('good', 10_000);
    expect([cache.get('good', 10_999), cache.get('good', 11_000)]).toEqual([key, undefined]);
    // The extension does not count as a confirmation.
    expect(cache.stale('good', 900_000)).toBeUndefined();
    cache.expireAll();
    expect([cache.get('good', 1), cache.stale('good', 1)]).toEqual([undefined, key]);
  });

  it('retains no key that was changed, refused or has expired', () => {
    const cache = new KeyCache();
    cache.put('changed', key, cache.version, 0);
    cache.put('refused', { ...key, keyId: 8 }, cache.version, 0);
    cache.put('expired', { ...key, keyId: 9, expiresAt: 100 }, cache.version, 0);
    cache.put('refused', null, cache.version, 1);
    cache.forget(7);
    expect(['changed', 'refused', 'expired'].map((hash) => cache.stale(hash, 100))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(cache.get('refused', 2)).toBeNull();
  });
});
