import { Inject, Optional, type Type } from '@nestjs/common';
import { type Handlers, type healthOf, type ServiceHealth } from '@signalbox/contracts';
import { OBJECT_PROBE, PROBE, type Probe } from '@signalbox/platform';
import { Serves } from './calls/server/serves.js';
import { EventStream } from './events/streams.js';

/** Each check uses its dependency. */
export function healthHandlers(contract: ReturnType<typeof healthOf>): Type {
  @Serves(contract)
  class HealthHandlers implements Handlers<ReturnType<typeof healthOf>> {
    constructor(
      private readonly stream: EventStream,
      @Optional() @Inject(PROBE) private readonly probe?: Probe,
      @Optional() @Inject(OBJECT_PROBE) private readonly objects?: Probe,
    ) {}

    async check(): Promise<ServiceHealth> {
      const [postgres, object_store] = await Promise.all([stateOf(this.probe), this.objects && stateOf(this.objects)]);
      const nats = this.stream.isUsable ? 'ok' : 'down';
      return { status: postgres, postgres, nats, ...(object_store && { object_store }) };
    }
  }
  return HealthHandlers;
}

async function stateOf(probe: Probe | undefined): Promise<'ok' | 'down'> {
  return (probe?.() ?? Promise.resolve()).then(
    () => 'ok' as const,
    () => 'down' as const,
  );
}
