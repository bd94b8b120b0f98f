import { createHmac, hkdfSync } from 'node:crypto';
import { hmacState } from './hmac-state.js';

/** The credentials of a service. */
export interface ServiceCredentials {
  role: string;
  password: string;
  workerRole: string;
  workerPassword: string;
  natsUser: string;
  natsPassword: string;
}

function derive(masterKey: string, purpose: string): string {
  return createHmac('sha256', masterKey).update(purpose).digest('hex');
}

/** Derives the roles and passwords of a service from the master key alone, so that nothing has to be stored. */
export function serviceCredentials(masterKey: string, service: string): ServiceCredentials {
  const role = `svc_${service.replaceAll('-', '_')}`;
  const workerRole = `${role}_worker`;
  return {
    role,
    password: derive(masterKey, `postgres:${role}`),
    workerRole,
    workerPassword: derive(masterKey, `postgres:${workerRole}`),
    natsUser: service,
    natsPassword: derive(masterKey, `nats:${service}`),
  };
}

/** The password with which the servers of a bus reach each other. */
export const routePassword = (masterKey: string): string => derive(masterKey, 'nats:routes');

/** The keys of a service by setting name; data that the master key has written stays readable. */
const SERVICE_KEYS = {
  /** Encrypts the credentials of model providers. */
  PROVIDER_SEAL_KEY: (masterKey: string): Buffer =>
    Buffer.from(hkdfSync('sha256', masterKey, 'signalbox', 'traffic provider secrets 1', 32)),
  /** Hashes API keys and tokens of the portal. */
  API_KEY_PEPPER: (masterKey: string): Buffer =>
    Buffer.from(hkdfSync('sha256', masterKey, 'signalbox', 'accounts api keys 2', 32)),
  /** Hashed API keys in 0.1.0: the state of an HMAC, because the key of that HMAC contains the master key. */
  KEY_PEPPER: (masterKey: string): Buffer => hmacState(`${masterKey}:api-keys:1`),
  /** Encrypts the secrets that sign deliveries of webhooks. */
  WEBHOOK_SEAL_KEY: (masterKey: string): Buffer =>
    Buffer.from(hkdfSync('sha256', masterKey, 'signalbox', 'accounts webhook secrets 1', 32)),
  /** Hashes the bodies of idempotent requests. */
  IDEMPOTENCY_KEY: (masterKey: string): Buffer =>
    createHmac('sha256', masterKey).update('signalbox idempotency bodies').digest(),
} as const;

/** The name of a key that is derived for one purpose. */
export type ServiceKey = keyof typeof SERVICE_KEYS;

export const SERVICE_KEY_NAMES = Object.keys(SERVICE_KEYS) as ServiceKey[];

/** Derives the key of one purpose, as hexadecimal text; it reveals neither the master key nor another derived secret. */
export const serviceKey = (masterKey: string, name: ServiceKey): string =>
  SERVICE_KEYS[name](masterKey).toString('hex');
