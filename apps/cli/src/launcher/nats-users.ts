import { busUsers } from '@signalbox/bus';
import { acceptedLogins, type MasterKeys, type NatsUser } from '@signalbox/servers';

/** With the rights of the contracts, each under its two names. */
export function natsUsers(keys: MasterKeys): NatsUser[] {
  return busUsers().flatMap(({ user, publish, subscribe }) => {
    const { plain, keyed } = acceptedLogins(keys, user);
    return [plain, keyed].map(({ natsUser, natsPassword }) => ({
      user: natsUser,
      password: natsPassword,
      permissions: { publish, subscribe },
    }));
  });
}
