import { ApiError } from '@signalbox/contracts';
import {
  isLive,
  isLiveAdmin,
  type KeyChange,
  type KeyState,
  revokeKey,
  rotateKey,
  shortensAdmin,
  updateKey,
} from './api-key.js';

const NOW = 1_000_000;
const key = (change: Partial<KeyState> = {}): KeyState => ({
  scopes: ['read', 'admin'],
  expires_at: null,
  revoked_at: null,
  rotated_at: null,
  ...change,
});

describe('an API key', () => {
  it.each([
    ['without an end', {}, true],
    ['that expires later', { expires_at: NOW + 1 }, true],
    ['that expires now', { expires_at: NOW }, false],
    ['that is revoked', { revoked_at: 1 }, false],
  ])('%s: live is decided by revocation and expiry', (_name, change, live) => {
    expect(isLive(key(change), NOW)).toBe(live);
    expect(isLiveAdmin(key(change), NOW)).toBe(live);
    expect(isLiveAdmin(key({ ...change, scopes: ['read'] }), NOW)).toBe(false);
  });

  it.each<[string, Partial<KeyState>, KeyChange, boolean]>([
    ['keeps admin', {}, { name: 'ci', scopes: ['admin'] }, false],
    ['loses admin', {}, { scopes: ['read'] }, true],
    ['gets an end', {}, { expires_at: NOW + 1 }, true],
    ['ends sooner', { expires_at: NOW + 2 }, { expires_at: NOW + 1 }, true],
    ['ends later', { expires_at: NOW + 1 }, { expires_at: NOW + 2 }, false],
    ['loses its end', { expires_at: NOW + 1 }, { expires_at: null }, false],
  ])('that %s is an admin key for a shorter time, or not', (_name, state, change, shortens) => {
    expect(shortensAdmin(key(state), change)).toBe(shortens);
  });

  it('is revoked once', () => {
    expect(revokeKey(key(), NOW).set).toEqual({ revoked_at: NOW });
    expect(() => revokeKey(key({ revoked_at: 1 }), NOW)).toThrow(ApiError);
  });

  it('stays valid for the grace period after a rotation, never longer than before', () => {
    expect(rotateKey(key(), 10, NOW).set.expires_at).toBe(NOW + 10_000);
    expect(rotateKey(key({ expires_at: NOW + 5 }), 10, NOW).set.expires_at).toBe(NOW + 5);
    expect(() => rotateKey(key({ revoked_at: 1 }), 10, NOW)).toThrow('already revoked');
    expect(() => rotateKey(key({ expires_at: NOW }), 10, NOW)).toThrow('has expired');
  });

  it('is rotated once', () => {
    expect(rotateKey(key(), 10, NOW).set.rotated_at).toBe(NOW);
    expect(() => rotateKey(key({ rotated_at: 1, expires_at: NOW + 5 }), 10, NOW)).toThrow('already rotated');
  });

  it('refuses an expiry in the past and keeps the fields that an update omits', () => {
    expect(() => updateKey({ expires_at: NOW }, NOW)).toThrow(ApiError);
    expect(updateKey({ name: 'ci' }, NOW).set).toEqual({ name: 'ci' });
    expect(updateKey({ expires_at: null }, NOW).set).toEqual({ expires_at: null });
    expect(updateKey({}, NOW)).toEqual({});
  });
});
