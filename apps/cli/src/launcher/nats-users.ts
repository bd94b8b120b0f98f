import type { NatsUser } from '@signalbox/servers';
import { serviceCredentials } from './credentials.js';

/** The user of the command line itself. */
export const ADMIN_USER = 'admin';

/** The users of the bus: the command line and every service. */
export function natsUsers(masterKey: string, services: string[]): NatsUser[] {
  return [ADMIN_USER, ...services].map((name) => {
    const { natsUser, natsPassword } = serviceCredentials(masterKey, name);
    return { user: natsUser, password: natsPassword, permissions: { publish: ['>'], subscribe: ['>'] } };
  });
}
