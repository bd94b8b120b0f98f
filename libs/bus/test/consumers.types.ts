// Compiled, never run: each expected error below fails the build when the mistake compiles.
import { Consumes, ConsumesBatches, type Consumed } from '@signalbox/bus';
import { consumption, defineEvents, type EventEnvelope, Id, Name, trafficEvents } from '@signalbox/contracts';

class LostWidget {
  @Id() id!: number;
  @Name() name!: string;
}
const events = defineEvents('desk', {
  'widget.lost': { resource: 'widget', data: LostWidget, description: 'A widget was lost' },
});
const lostWidgets = consumption(events, 'widget.lost', 'desk-lost-widgets');

export class Good {
  @Consumes(lostWidgets)
  async search({ data }: EventEnvelope<LostWidget>): Promise<void> {
    await Promise.resolve(data.name);
  }

  /** Less than what is declared may be expected. */
  @ConsumesBatches(lostWidgets)
  async searchAll(lost: Consumed<EventEnvelope<{ id: number }>>[]): Promise<void> {
    await Promise.resolve(lost.map(({ payload }) => payload.data.id));
  }
}

export class Wrong {
  // @ts-expect-error the payload of another event
  @Consumes(lostWidgets)
  async search(_event: EventEnvelope<{ id: number; colour: string }>): Promise<void> {
    await Promise.resolve();
  }

  // @ts-expect-error one event where all of a transaction come
  @ConsumesBatches(lostWidgets)
  async searchAll(_event: EventEnvelope<LostWidget>): Promise<void> {
    await Promise.resolve();
  }

  // @ts-expect-error a subject is no declaration
  @Consumes('events.*.widget.lost')
  async searchBySubject(_event: EventEnvelope<LostWidget>): Promise<void> {
    await Promise.resolve();
  }
}

// @ts-expect-error no such event
consumption(events, 'widget.found', 'desk-found-widgets');
// @ts-expect-error an event of another service
consumption(trafficEvents, 'agent.created', 'desk-agents');
