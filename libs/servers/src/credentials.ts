import { createHmac, hkdfSync } from 'node:crypto';
import { hmacState } from './hmac-state.js';

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

/** Derived from the master key alone, so that nothing has to be stored. */
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

export const routePassword = (masterKey: string): string => derive(masterKey, 'nats:routes');

/** By setting name; data written with keys of the master key stays readable. */
const SERVICE_KEYS = {
  PROVIDER_SEAL_KEY: (masterKey: string): Buffer =>
    Buffer.from(hkdfSync('sha256', masterKey, 'signalbox', 'traffic provider secrets 1', 32)),
  API_KEY_PEPPER: (masterKey: string): Buffer =>
    Buffer.from(hkdfSync('sha256', masterKey, 'signalbox', 'accounts api keys 2', 32)),
  /** Hashed API keys in 0.1.0: the state of an HMAC, because its key contains the master key. */
  KEY_PEPPER: (masterKey: string): Buffer => hmacState(`${masterKey}:api-keys:1`),
  WEBHOOK_SEAL_KEY: (masterKey: string): Buffer =>
    Buffer.from(hkdfSync('sha256', masterKey, 'signalbox', 'accounts webhook secrets 1', 32)),
  IDEMPOTENCY_KEY: (masterKey: string): Buffer =>
    createHmac('sha256', masterKey).update('signalbox idempotency bodies').digest(),
} as const;

export type ServiceKey = keyof typeof SERVICE_KEYS;

export const SERVICE_KEY_NAMES = Object.keys(SERVICE_KEYS) as ServiceKey[];

/** Hexadecimal; reveals neither the master key nor another derived secret. */
export const serviceKey = (masterKey: string, name: ServiceKey): string =>
  SERVICE_KEYS[name](masterKey).toString('hex');
