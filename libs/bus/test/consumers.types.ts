// Compiled, never run: each expected error below fails the build when the mistake compiles.
import { Consumes, ConsumesBatches, type Consumed } from '@signalbox/bus';
import { consumption, defineEvents, type EventEnvelope, Id, Name, trafficEvents } from '@signalbox/contracts';

class LostPen {
  @Id() id!: number;
  @Name() name!: string;
}
const events = defineEvents('desk', { 'pen.lost': { resource: 'pen', data: LostPen, description: 'A pen was lost' } });
const lostPens = consumption(events, 'pen.lost', 'desk-lost-pens');

export class Good {
  @Consumes(lostPens)
  async search({ data }: EventEnvelope<LostPen>): Promise<void> {
    await Promise.resolve(data.name);
  }

  /** Less than what is declared may be expected. */
  @ConsumesBatches(lostPens)
  async searchAll(lost: Consumed<EventEnvelope<{ id: number }>>[]): Promise<void> {
    await Promise.resolve(lost.map(({ payload }) => payload.data.id));
  }
}

export class Wrong {
  // @ts-expect-error the payload of another event
  @Consumes(lostPens)
  async search(_event: EventEnvelope<{ id: number; colour: string }>): Promise<void> {
    await Promise.resolve();
  }

  // @ts-expect-error one event where all of a transaction come
  @ConsumesBatches(lostPens)
  async searchAll(_event: EventEnvelope<LostPen>): Promise<void> {
    await Promise.resolve();
  }

  // @ts-expect-error a subject is no declaration
  @Consumes('events.*.pen.lost')
  async searchBySubject(_event: EventEnvelope<LostPen>): Promise<void> {
    await Promise.resolve();
  }
}

// @ts-expect-error no such event
consumption(events, 'pen.found', 'desk-found-pens');
// @ts-expect-error an event of another service
consumption(trafficEvents, 'agent.created', 'desk-agents');
