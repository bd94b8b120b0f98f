import { createHash } from 'node:crypto';

/** No other text is used as a path or a URL. */
export const KEY = /^[1-9]\d{0,9}\/[0-9a-f]{64}$/;

export const keyOf = (companyId: number, bytes: Uint8Array): string => `${companyId}/${sha256(bytes)}`;

export const isWhole = (key: string, bytes: Uint8Array): boolean => key.endsWith(`/${sha256(bytes)}`);

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
