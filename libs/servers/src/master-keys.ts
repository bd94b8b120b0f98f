import { createHmac } from 'node:crypto';
import {
  routePassword,
  type ServiceCredentials,
  serviceCredentials,
  type ServiceKey,
  serviceKey,
} from './credentials.js';

/**
 * The master keys that a platform accepts: one, or two while it changes from one to another. At most one of `next` and
 * `previous` is set.
 */
export interface MasterKeys {
  /** Seals and hashes what is new. */
  current: string;
  /** Takes over after all processes accept it. */
  next: string | null;
  /** Still reads what has not been sealed anew. */
  previous: string | null;
}

/** What recognises a master key and reveals nothing of it: eight hexadecimal digits. */
export const masterKeyId = (masterKey: string): string =>
  createHmac('sha256', masterKey).update('signalbox master key id').digest('hex').slice(0, 8);

/** The further logins of a service that belong to one master key: while it changes, old and new logins are valid. */
export function keyedCredentials(masterKey: string, service: string): ServiceCredentials {
  const { role, workerRole, natsUser, ...passwords } = serviceCredentials(masterKey, service);
  const id = masterKeyId(masterKey);
  return { ...passwords, role: `${role}_${id}`, workerRole: `${workerRole}_${id}`, natsUser: `${natsUser}-${id}` };
}

/** The key of the logins with plain names, which change last. */
const plainKey = ({ current, previous }: MasterKeys): string => previous ?? current;
/** The key of the logins with its id in their names, which are made first. */
const newestKey = ({ current, next }: MasterKeys): string => next ?? current;

export const isRotating = ({ next, previous }: MasterKeys): boolean => next !== null || previous !== null;

/** The logins that the servers accept. */
export const acceptedLogins = (
  keys: MasterKeys,
  service: string,
): { plain: ServiceCredentials; keyed: ServiceCredentials } => ({
  plain: serviceCredentials(plainKey(keys), service),
  keyed: keyedCredentials(newestKey(keys), service),
});

/** The login that a process uses: accepted before, while and after it is started with these keys. */
export function loginOf(keys: MasterKeys, service: string): ServiceCredentials {
  const { plain, keyed } = acceptedLogins(keys, service);
  return keys.previous === null ? plain : keyed;
}

/** The keys of one purpose as a setting of a service has them, separated by a comma: that for what is new comes first. */
export function serviceKeys({ current, next, previous }: MasterKeys, name: ServiceKey): string {
  const other = next ?? previous;
  return [current, ...(other === null ? [] : [other])].map((key) => serviceKey(key, name)).join(',');
}

/** The password of the routes between the servers of a bus, and that of servers that do not know the newest key yet, or still. */
export function routePasswords(keys: MasterKeys): { password: string; otherPassword?: string } {
  const password = routePassword(newestKey(keys));
  return isRotating(keys) ? { password, otherPassword: routePassword(plainKey(keys)) } : { password };
}
