import { hashOfKey, newHookKey, openPayload, sealPayload } from '@signalbox/runs';

describe('the key of a hook', () => {
  it('has 43 characters, is never the same twice, and is found again by its hash', () => {
    const [one, other] = [newHookKey(), newHookKey()];
    expect(one.key).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(one.key).not.toBe(other.key);
    expect(hashOfKey(one.key)).toBe(one.hash);
  });

  it.each(['', 'short', `${'a'.repeat(42)}=`, 'a'.repeat(44)])('is not %j', (text) => {
    expect(hashOfKey(text)).toBeNull();
  });

  it('opens only payloads that it sealed', () => {
    const { key } = newHookKey();
    const sealed = sealPayload(key, '{"token":"hush"}');
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('hush');
    expect(openPayload(key, sealed)).toBe('{"token":"hush"}');
    expect(() => openPayload(newHookKey().key, sealed)).toThrow();
  });
});
