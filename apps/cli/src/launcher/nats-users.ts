import { busUsers } from '@signalbox/bus';
import { type NatsUser, serviceCredentials } from '@signalbox/servers';

/** Replies, and the signs of life before them, may be sent to whoever asked, for as long as the longest wait. */
const RESPONSES = { max: 1_000_000, expires: '10m' };

/** The users of the bus with the rights that follow from the contracts. */
export function natsUsers(masterKey: string): NatsUser[] {
  return busUsers().map(({ user, publish, subscribe }) => ({
    user,
    password: serviceCredentials(masterKey, user).natsPassword,
    permissions: { publish, subscribe, allowResponses: RESPONSES },
  }));
}
