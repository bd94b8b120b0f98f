import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
  type BeforeApplicationShutdown,
  Optional,
} from '@nestjs/common';
import { INBOX, type InboxStore, LOGGER, type Logger } from '@signalbox/platform';
import { BACKOFF_MS } from '../backoff.js';
import { type DecoratedMethod, DecoratedMethodScanner, methodOf } from '../decorated-methods.js';
import { CONSUMER, type ConsumerMetadata } from './consumer.js';
import { consumptionFault, consumptionsOf } from '../service-permissions.js';
import { ConsumerLoop } from './consumer-loop.js';
import { type Effect, EventApplication, type Preparation } from './event-application.js';
import type { MessageSelector } from './message-selection.js';
import { EventStream } from './streams.js';
import { SuspectedEvents } from './suspected-events.js';

/** Nest token; milliseconds between the attempts of an event that could not be consumed. */
export const CONSUMER_BACKOFF = Symbol('consumer backoff');

type ConsumerMethod = DecoratedMethod<ConsumerMetadata>;

/** Runs every method with `@Consumer` on its durable consumer. */
@Injectable()
export class ConsumerRunner implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loops: ConsumerLoop[] = [];
  private consumers: ConsumerMethod[] = [];
  private readonly effects = new Map<string, Effect>();
  private readonly suspected = this.inbox && new SuspectedEvents(this.inbox, this.logger);

  constructor(
    private readonly methods: DecoratedMethodScanner,
    private readonly stream: EventStream,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(INBOX) private readonly inbox?: InboxStore,
    @Optional() @Inject(CONSUMER_BACKOFF) private readonly backoffMs: readonly number[] = BACKOFF_MS,
  ) {}

  /**
   * Throws for a consumer whose event has no publisher or that the bus would not permit, for two with one durable, and
   * for a declared one that is missing.
   */
  onModuleInit(): void {
    this.consumers = this.methods.of<ConsumerMetadata>(CONSUMER);
    const service = this.stream.connection.name;
    const durables = this.consumers.map(({ metadata }) => metadata.consumption.durable);
    const twice = durables.find((durable, at) => durables.indexOf(durable) !== at);
    if (twice !== undefined) throw new Error(`consumer ${twice} has two methods`);
    for (const { metadata } of this.consumers) {
      const fault = consumptionFault(service, metadata.consumption);
      if (fault !== null) throw new Error(fault);
    }
    const missing = consumptionsOf(service).find(({ durable }) => !durables.includes(durable));
    if (missing) throw new Error(`consumer ${missing.durable}, which service ${service} declares, has no method`);
  }

  onApplicationBootstrap(): void {
    const { stopping } = this.stream.connection;
    stopping.addEventListener('abort', () => this.loops.forEach((loop) => loop.stopFetching()), { once: true });
    for (const consumer of this.consumers) this.start(consumer);
  }

  /** Before the connections are closed: the events being applied still need them. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  effectOf(durable: string): Effect | null {
    return this.effects.get(durable) ?? null;
  }

  private start(consumer: ConsumerMethod): void {
    if (!this.inbox || !this.suspected) throw new Error('a service that consumes needs an inbox');
    const { metadata, instance } = consumer;
    const { consumption, filter, before, deduplicate = true, batchWindowMs = 0 } = metadata;
    const effect = effectOf(consumer);
    this.effects.set(consumption.durable, effect);
    const options = {
      consumer: consumption.durable,
      backoffMs: this.backoffMs,
      deduplicate,
      filter: filter === undefined ? undefined : (methodOf(instance, filter) as MessageSelector),
      before: before === undefined ? undefined : (methodOf(instance, before) as Preparation),
    };
    const application = new EventApplication(this.inbox, this.suspected, effect, options, this.logger);
    const loop = new ConsumerLoop({ ...consumption, batchWindowMs }, this.stream, application, this.logger);
    this.loops.push(loop);
    loop.start();
  }
}

const effectOf = ({ metadata, run }: ConsumerMethod): Effect =>
  metadata.batch
    ? (events, tx, _begins, prepared) => run(events, tx, prepared)
    : async (events, tx, begins) => {
        for (const { payload, about } of events) {
          begins(about);
          await run(payload, tx, about);
        }
      };
