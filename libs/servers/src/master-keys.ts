import { createHmac } from 'node:crypto';
import {
  routePassword,
  type ServiceCredentials,
  serviceCredentials,
  type ServiceKey,
  serviceKey,
} from './credentials.js';

/** Two during a rotation: at most one of `next` and `previous` is set. */
export interface MasterKeys {
  /** Seals and hashes what is new. */
  current: string;
  /** Takes over after all processes accept it. */
  next: string | null;
  /** Still reads what has not been sealed anew. */
  previous: string | null;
}

/** Identifies a master key without revealing anything of it: eight hexadecimal digits. */
export const masterKeyId = (masterKey: string): string =>
  createHmac('sha256', masterKey).update('signalbox master key id').digest('hex').slice(0, 8);

/** Further logins of a service for one master key: during a rotation old and new ones are valid. */
export function keyedCredentials(masterKey: string, service: string): ServiceCredentials {
  const { role, workerRole, natsUser, ...passwords } = serviceCredentials(masterKey, service);
  const id = masterKeyId(masterKey);
  return { ...passwords, role: `${role}_${id}`, workerRole: `${workerRole}_${id}`, natsUser: `${natsUser}-${id}` };
}

/** Of the logins with plain names, which change last. */
const plainKey = ({ current, previous }: MasterKeys): string => previous ?? current;
/** Of the logins with the key id in their names, which are created first. */
const newestKey = ({ current, next }: MasterKeys): string => next ?? current;

export const isRotating = ({ next, previous }: MasterKeys): boolean => next !== null || previous !== null;

export const acceptedLogins = (
  keys: MasterKeys,
  service: string,
): { plain: ServiceCredentials; keyed: ServiceCredentials } => ({
  plain: serviceCredentials(plainKey(keys), service),
  keyed: keyedCredentials(newestKey(keys), service),
});

/** Accepted by the servers before, during and after a start with these keys. */
export function loginOf(keys: MasterKeys, service: string): ServiceCredentials {
  const { plain, keyed } = acceptedLogins(keys, service);
  return keys.previous === null ? plain : keyed;
}

/** The value of a setting: keys separated by a comma, first the one for what is new. */
export function serviceKeys({ current, next, previous }: MasterKeys, name: ServiceKey): string {
  const other = next ?? previous;
  return [current, ...(other === null ? [] : [other])].map((key) => serviceKey(key, name)).join(',');
}

/** Servers that do not know the newest key yet, or still use the old one, have `otherPassword`. */
export function routePasswords(keys: MasterKeys): { password: string; otherPassword?: string } {
  const password = routePassword(newestKey(keys));
  return isRotating(keys) ? { password, otherPassword: routePassword(plainKey(keys)) } : { password };
}
