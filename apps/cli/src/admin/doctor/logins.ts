import { BusConnection } from '@signalbox/bus/client';
import { createLogger } from '@signalbox/platform';
import { natsUrlFor, type Platform } from '../../launcher/service-environment.js';

export async function asUser<T>(
  platform: Platform,
  user: string,
  work: (connection: BusConnection) => Promise<T>,
): Promise<T> {
  const logger = createLogger(user, 'silent');
  const connection = await BusConnection.open(natsUrlFor(platform, user), user, logger, { whenAway: 'fail' });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
