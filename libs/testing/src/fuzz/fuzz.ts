import { SERVICES } from '@signalbox/contracts';
import { Platform } from '../platform/platform.js';
import { startHttpTarget } from '../fakes/http-target.js';
import { Fuzzer } from './fuzzer.js';
import type { FuzzOptions, FuzzReport } from './report.js';

export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const target = await startHttpTarget();
  // Without the runner every script would be refused with 503.
  const services = ['gateway', 'runner', ...SERVICES.filter(({ database }) => database).map(({ name }) => name)];
  const platform = await Platform.start({ services, env: { EGRESS_ALLOW: `127.0.0.1:${target.port}` } });
  try {
    return await new Fuzzer(platform, target, options).run();
  } finally {
    await platform.stop();
    await target.close();
  }
}
