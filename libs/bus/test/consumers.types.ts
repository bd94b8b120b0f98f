// Compiled, never run: each expected error below fails the build when the mistake compiles.
import { Consumer, type Consumed, JobHandler, type JobWith, type MessageFilter } from '@signalbox/bus';
import { consumption, defineEvents, type EventEnvelope, Id, Name, trafficEvents } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { job } from '@signalbox/platform';

class LostWidget {
  @Id() id!: number;
  @Name() name!: string;
}
const events = defineEvents('desk', {
  'widget.lost': { resource: 'widget', data: LostWidget, description: 'A widget was lost' },
});
const lostWidgets = consumption(events, 'widget.lost', 'desk-lost-widgets');

const findWidget = job('find_widget', { widgetId: 'int', room: 'text' });
type FindWidget = JobWith<{ widgetId: number; room: string }>;

export const add = (tx: Tx): void => {
  tx.addJob(findWidget, { widgetId: 7, room: 'attic' });
  // @ts-expect-error the payload of another kind
  tx.addJob(findWidget, { widgetId: 'seven', room: 'attic' });
  // @ts-expect-error a name is no declaration
  tx.addJob('find_widget', { widgetId: 7, room: 'attic' });
};

export class Good {
  @JobHandler(findWidget, { onExhausted: 'giveUp' })
  async find({ payload: { widgetId, room } }: FindWidget): Promise<void> {
    await Promise.resolve(`${room} ${widgetId.toFixed()}`);
  }

  async giveUp(_job: FindWidget): Promise<void> {
    await Promise.resolve();
  }

  select(companyIds: readonly number[]): Promise<MessageFilter> {
    return Promise.resolve((companyId) => companyIds.includes(companyId));
  }

  @Consumer(lostWidgets, { filter: 'select' })
  async searchSelected({ data }: EventEnvelope<LostWidget>): Promise<void> {
    await Promise.resolve(data.name);
  }

  @Consumer(lostWidgets)
  async search({ data }: EventEnvelope<LostWidget>): Promise<void> {
    await Promise.resolve(data.name);
  }

  /** Less than what is declared may be expected. */
  @Consumer(lostWidgets, { batch: true })
  async searchAll(lost: Consumed<EventEnvelope<{ id: number }>>[]): Promise<void> {
    await Promise.resolve(lost.map(({ payload }) => payload.data.id));
  }
}

export class Wrong {
  async giveUp(_widgetId: number): Promise<void> {
    await Promise.resolve();
  }

  // @ts-expect-error the payload of another kind
  @JobHandler(findWidget)
  async find(_job: JobWith<{ widgetId: string }>): Promise<void> {
    await Promise.resolve();
  }

  // @ts-expect-error no such method
  @JobHandler(findWidget, { onExhausted: 'leave' })
  async findOrLeave(_job: FindWidget): Promise<void> {
    await Promise.resolve();
  }

  // @ts-expect-error a method that takes no job
  @JobHandler(findWidget, { onExhausted: 'giveUp' })
  async findOrGiveUp(_job: FindWidget): Promise<void> {
    await Promise.resolve();
  }

  // @ts-expect-error no such method
  @Consumer(lostWidgets, { filter: 'select' })
  async searchSelected(_event: EventEnvelope<LostWidget>): Promise<void> {
    await Promise.resolve();
  }

  // @ts-expect-error the payload of another event
  @Consumer(lostWidgets)
  async search(_event: EventEnvelope<{ id: number; colour: string }>): Promise<void> {
    await Promise.resolve();
  }

  // @ts-expect-error one event where all of a transaction come
  @Consumer(lostWidgets, { batch: true })
  async searchAll(_event: EventEnvelope<LostWidget>): Promise<void> {
    await Promise.resolve();
  }

  // @ts-expect-error a subject is no declaration
  @Consumer('events.*.widget.lost')
  async searchBySubject(_event: EventEnvelope<LostWidget>): Promise<void> {
    await Promise.resolve();
  }
}

// @ts-expect-error no such event
consumption(events, 'widget.found', 'desk-found-widgets');
// @ts-expect-error an event of another service
consumption(trafficEvents, 'agent.created', 'desk-agents');
