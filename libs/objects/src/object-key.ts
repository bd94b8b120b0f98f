import { createHash } from 'node:crypto';

/** What a key of the store looks like; nothing else ever becomes a path or a URL. */
export const KEY = /^[1-9]\d{0,9}\/[0-9a-f]{64}$/;

/** The key of these bytes of a company; names from outside have no part in it. */
export const keyOf = (companyId: number, bytes: Uint8Array): string => `${companyId}/${sha256(bytes)}`;

/** Whether the bytes are those that were once stored under the key. */
export const isWhole = (key: string, bytes: Uint8Array): boolean => key.endsWith(`/${sha256(bytes)}`);

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
