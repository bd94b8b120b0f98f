import { createHmac } from 'node:crypto';
import { SERVICE_KEY_NAMES, serviceKey } from '@signalbox/servers';

const fingerprint = (key: string): string =>
  createHmac('sha256', key).update('signalbox fingerprint').digest('hex').slice(0, 16);

/** Identify the master key and the keys derived from it without revealing them. */
export function keyFingerprints(masterKey: string): Record<string, string> {
  const derived = SERVICE_KEY_NAMES.map((name) => [name, fingerprint(serviceKey(masterKey, name))]);
  return { MASTER_KEY: fingerprint(masterKey), ...Object.fromEntries(derived) };
}
