import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const KEY = /^[A-Za-z0-9_-]{43}$/;
const CIPHER = 'aes-256-gcm';

/** Only the hash is stored. */
export function newHookKey(): { key: string; hash: string } {
  const key = randomBytes(32).toString('base64url');
  return { key, hash: digest('hook', key).toString('base64url') };
}

export const hashOfKey = (key: string): string | null =>
  KEY.test(key) ? digest('hook', key).toString('base64url') : null;

/**
 * Encrypts a payload until the process with the secrets of its run has redacted them: only the key of the hook decrypts
 * it, and the database stores only the hash of that key.
 */
export function sealPayload(key: string, payload: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv(CIPHER, digest('seal', key), iv);
  const text = Buffer.concat([cipher.update(payload, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64');
}

/** Throws when it was sealed with another key. */
export function openPayload(key: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, digest('seal', key), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}

const digest = (purpose: string, key: string): Buffer => createHash('sha256').update(`${purpose}:${key}`).digest();
