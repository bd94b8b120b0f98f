import { Inject, Optional, type Type } from '@nestjs/common';
import { type Handlers, healthOf, type ServiceHealth } from '@signalbox/contracts';
import { PROBE, type Probe } from '@signalbox/platform';
import { Serves } from './serves.js';

/** The handlers with which a service answers for its own health, by a real read of its database. */
export function healthHandlers(service: string): Type {
  const contract = healthOf(service);

  @Serves(contract)
  class HealthHandlers implements Handlers<typeof contract> {
    constructor(@Optional() @Inject(PROBE) private readonly probe?: Probe) {}

    async check(): Promise<ServiceHealth> {
      const postgres = await (this.probe?.() ?? Promise.resolve()).then(
        () => 'ok' as const,
        () => 'down' as const,
      );
      return { status: postgres, postgres };
    }
  }
  return HealthHandlers;
}
