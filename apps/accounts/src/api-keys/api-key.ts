import { conflict, invalidField, type Scope } from '@signalbox/contracts';

/** The part of a key that its rules look at. */
export interface KeyState {
  scopes: Scope[];
  expires_at: number | null;
  revoked_at: number | null;
  /** When a replacement was made, null for a key that has none. */
  rotated_at: number | null;
}

/** A key counts as live while it is neither revoked nor expired. */
export const isLive = (key: KeyState, now: number): boolean =>
  key.revoked_at === null && (key.expires_at === null || key.expires_at > now);

/** True when the key can administer now. */
export const isLiveAdmin = (key: KeyState, now: number): boolean => isLive(key, now) && key.scopes.includes('admin');

/** An expiry has to lie ahead. */
export function checkExpiry(expiresAt: number | null | undefined, now: number): void {
  if (expiresAt != null && expiresAt <= now) throw invalidField('expires_at', 'must lie in the future');
}

/** What an update leaves in the row. */
export function updateKey(change: { name?: string; scopes?: Scope[]; expires_at?: number | null }, now: number) {
  checkExpiry(change.expires_at, now);
  const { name, scopes, expires_at } = change;
  const set = {
    ...(name === undefined ? {} : { name }),
    ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
    ...(expires_at === undefined ? {} : { expires_at }),
  };
  return Object.keys(set).length > 0 ? { set, events: [{ event: 'api_key.updated' }] } : {};
}

/** Revokes a live or expired key; a second time is a conflict. */
export function revokeKey(key: KeyState, now: number) {
  if (key.revoked_at !== null) throw conflict('the key is already revoked');
  return { set: { revoked_at: now }, events: [{ event: 'api_key.revoked' }], action: 'revoke' };
}

/** Ends a key after a grace period because its replacement exists; a key has one replacement. */
export function rotateKey(key: KeyState, graceSeconds: number, now: number) {
  if (key.revoked_at !== null) throw conflict('the key is already revoked');
  if (key.rotated_at !== null) throw conflict('the key is already rotated and ends with its grace period');
  const end = now + graceSeconds * 1000;
  const expires_at = key.expires_at === null ? end : Math.min(key.expires_at, end);
  return { set: { expires_at, rotated_at: now }, events: [{ event: 'api_key.rotated' }], action: 'rotate' };
}
