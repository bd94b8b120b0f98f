import { sealFor, SealingKeys } from '@signalbox/runs';

describe('a text sealed for a process', () => {
  const keys = new SealingKeys();

  it('is opened by that process under the same context', () => {
    expect(keys.open(sealFor(keys.publicKey, 'größer', 'a'), 'a')).toBe('größer');
  });

  it('is opened by no other process', () => {
    const sealed = sealFor(keys.publicKey, 'secret', 'a');
    expect(() => new SealingKeys().open(sealed, 'a')).toThrow();
  });

  it('is not opened under another context or after a bit of it was changed', () => {
    const sealed = sealFor(keys.publicKey, 'secret', 'a');
    expect(() => keys.open(sealed, 'b')).toThrow();
    const bytes = Buffer.from(sealed, 'base64');
    bytes[bytes.length - 1]! ^= 1;
    expect(() => keys.open(bytes.toString('base64'), 'a')).toThrow();
  });

  it('is sealed differently each time', () => {
    expect(sealFor(keys.publicKey, 'secret', 'a')).not.toBe(sealFor(keys.publicKey, 'secret', 'a'));
  });
});
