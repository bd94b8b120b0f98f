import 'reflect-metadata';
import { type DynamicModule, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BusModule, type Consumed, Consumer } from '@signalbox/bus';
import type { Consumption } from '@signalbox/contracts';
import { DatabaseModule } from '@signalbox/database';
import { createLogger, loggerModule, readSettings } from '@signalbox/platform';
import type { ConsumeAnswer, ConsumeQuestion } from '../events/backlog.js';
import { answer } from '../measure/answer.js';
import { createBenchSchema } from './schema.js';

// A consumer whose effect is empty: what remains is fetching, the inbox and the acknowledgements.

const settings = readSettings(['DATABASE_URL', 'WORKER_DATABASE_URL', 'NATS_URL']);
const logger = createLogger('bench', 'warn');
const counted: Consumption = { durable: 'bench-empty', filter: 'events.*.bench.counted' };

/** Counts the events that it applies. */
@Injectable()
class EmptyConsumer {
  seen = 0;
  began = 0;
  private reached: (() => void) | undefined;
  private wanted = Infinity;

  until(count: number): Promise<void> {
    this.wanted = count;
    return new Promise((resolve) => (this.reached = resolve));
  }

  @Consumer(counted, { batch: true })
  apply(events: Consumed<unknown>[]): Promise<void> {
    if (this.seen === 0) this.began = performance.now();
    this.seen += events.length;
    if (this.seen >= this.wanted) this.reached?.();
    return Promise.resolve();
  }
}

@Module({})
class BenchModule {
  static with(): DynamicModule {
    const database = { service: 'bench', entities: [], url: settings.DATABASE_URL };
    return {
      module: BenchModule,
      imports: [
        loggerModule(logger),
        DatabaseModule.forService({ ...database, workerUrl: settings.WORKER_DATABASE_URL }),
        BusModule.forService({ name: 'tester', url: settings.NATS_URL, database: true }),
      ],
      providers: [EmptyConsumer],
    };
  }
}

await createBenchSchema(settings);
answer<ConsumeQuestion>(
  async ({ events }): Promise<ConsumeAnswer> => {
    const app = await NestFactory.createApplicationContext(BenchModule.with(), { logger: false });
    const consumer = app.get(EmptyConsumer);
    await consumer.until(events);
    const seconds = (performance.now() - consumer.began) / 1000;
    await app.close();
    return { seconds, errors: Math.abs(consumer.seen - events) };
  },
  () => Promise.resolve(),
);
