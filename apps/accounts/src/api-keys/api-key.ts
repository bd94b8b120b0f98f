import { conflict, invalidField, type Scope, emits } from '@signalbox/contracts';

export interface KeyState {
  scopes: Scope[];
  expires_at: number | null;
  revoked_at: number | null;
  /** When a replacement was created. */
  rotated_at: number | null;
}

export const isLive = (key: KeyState, now: number): boolean =>
  key.revoked_at === null && (key.expires_at === null || key.expires_at > now);

export const isLiveAdmin = (key: KeyState, now: number): boolean => isLive(key, now) && key.scopes.includes('admin');

/** Throws 400. */
export function checkExpiry(expiresAt: number | null | undefined, now: number): void {
  if (expiresAt != null && expiresAt <= now) throw invalidField('expires_at', 'must lie in the future');
}

export interface KeyChange {
  name?: string;
  scopes?: Scope[];
  expires_at?: number | null;
}

/** Whether the key is an admin key for a shorter time after the change. */
export const shortensAdmin = ({ expires_at }: KeyState, change: KeyChange): boolean =>
  change.scopes?.includes('admin') === false || (change.expires_at ?? Infinity) < (expires_at ?? Infinity);

export function updateKey(change: KeyChange, now: number) {
  checkExpiry(change.expires_at, now);
  const { name, scopes, expires_at } = change;
  const set = {
    ...(name === undefined ? {} : { name }),
    ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
    ...(expires_at === undefined ? {} : { expires_at }),
  };
  return Object.keys(set).length > 0 ? { set, events: [emits('api_key.updated')] } : {};
}

/** Also for an expired key; 409 for a revoked one. */
export function revokeKey(key: KeyState, now: number) {
  if (key.revoked_at !== null) throw conflict('the key is already revoked');
  return { set: { revoked_at: now }, events: [emits('api_key.revoked')], action: 'revoke' };
}

/** Lets a replaced key expire after a grace period; 409 for a key that is not live or was rotated before. */
export function rotateKey(key: KeyState, graceSeconds: number, now: number) {
  if (key.revoked_at !== null) throw conflict('the key is already revoked');
  if (!isLive(key, now)) throw conflict('the key has expired');
  if (key.rotated_at !== null) throw conflict('the key is already rotated and ends with its grace period');
  const end = now + graceSeconds * 1000;
  const expires_at = key.expires_at === null ? end : Math.min(key.expires_at, end);
  return { set: { expires_at, rotated_at: now }, events: [emits('api_key.rotated')], action: 'rotate' };
}
