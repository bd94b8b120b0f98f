import { SERVICES } from '@signalbox/contracts';
import { Platform } from '../platform/platform.js';
import { startHttpTarget } from '../fakes/http-target.js';
import { Fuzzer, type FuzzOptions, type FuzzReport } from './fuzzer.js';

/** Starts a platform of its own on loopback, fuzzes it and stops it. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const outside = await startHttpTarget();
  const services = ['gateway', ...SERVICES.filter(({ database }) => database).map(({ name }) => name)];
  const platform = await Platform.start({ services, env: { EGRESS_ALLOW: `127.0.0.1:${outside.port}` } });
  try {
    return await new Fuzzer(platform, outside, options).run();
  } finally {
    await platform.stop();
    await outside.close();
  }
}
