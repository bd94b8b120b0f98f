import { busUsers } from '@signalbox/bus';
import { type NatsUser, serviceCredentials } from '@signalbox/servers';

/** The users of the bus with the rights that follow from the contracts. */
export function natsUsers(masterKey: string): NatsUser[] {
  return busUsers().map(({ user, publish, subscribe }) => ({
    user,
    password: serviceCredentials(masterKey, user).natsPassword,
    permissions: { publish, subscribe },
  }));
}
