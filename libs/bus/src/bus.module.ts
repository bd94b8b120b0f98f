import { type DynamicModule, Global, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { healthOf, workerHealthOf } from '@signalbox/contracts';
import { GracefulStop, type JobKinds, LOGGER, type Logger, readSettings } from '@signalbox/platform';
import { RelayWakeup } from './events/relay-wakeup.js';
import { BusClient } from './calls/bus-client.js';
import { BusConnection } from './connection.js';
import { deadLetterHandlers } from './events/dead-letters.js';
import { CONSUMER_BACKOFF, ConsumerRunner } from './events/consumer-runner.js';
import { DiscardedEvents } from './events/discarded-events.js';
import { OutboxRelay } from './events/relay.js';
import { healthHandlers } from './health.js';
import { InProcessServer } from './in-process/in-process-server.js';
import { BusServer } from './calls/server/server.js';
import { EventStream, type StreamLimits } from './events/streams.js';
import { IntervalRunner } from './intervals/interval-runner.js';
import { DecoratedMethodScanner } from './decorated-methods.js';
import { PROCESS_ROLE, type ProcessRole } from './process-role.js';
import { JOB_KINDS, JobRunner } from './work/job-runner.js';

/** Runs after everything that uses the connections has stopped. */
class BusShutdown implements OnApplicationShutdown {
  constructor(
    private readonly connection: BusConnection,
    private readonly stream: EventStream,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.connection.close(), this.stream.connection.close()]);
  }
}

export interface BusOptions {
  name: string;
  url: string;
  /** Whether the process owns tables, hence an outbox and an inbox. */
  database: boolean;
  /** Another process of the service relays, consumes and works; this one only serves callers in its own process. */
  inProcess?: boolean;
  jobs?: JobKinds;
  role?: ProcessRole;
  /** Between the deliveries of a message that could not be consumed; default 1, 5, 15 and 30 s. */
  consumerBackoffMs?: readonly number[];
  /** True in the process that receives the calls of clients: it sends their idempotency claims with the call. */
  carriesClaims?: boolean;
}

function limitsOfSettings(): StreamLimits {
  const settings = readSettings([
    'EVENTS_STREAM_MAX_BYTES',
    'EVENTS_STREAM_MAX_HOURS',
    'AUDIT_STREAM_MAX_BYTES',
    'NATS_REPLICAS',
  ]);
  return {
    eventsBytes: settings.EVENTS_STREAM_MAX_BYTES,
    eventsHours: settings.EVENTS_STREAM_MAX_HOURS,
    auditBytes: settings.AUDIT_STREAM_MAX_BYTES,
    replicas: settings.NATS_REPLICAS,
  };
}

function controllersOf({ name, role = 'all' }: BusOptions): Type[] {
  const ofApi = [healthHandlers(healthOf(name))];
  const workers = workerHealthOf(name);
  const ofWorkers = [deadLetterHandlers(name), ...(workers ? [healthHandlers(workers)] : [])];
  return [...(role === 'worker' ? [] : ofApi), ...(role === 'api' ? [] : ofWorkers)];
}

@Global()
@Module({})
export class BusModule {
  static forService(options: BusOptions): DynamicModule {
    const isFullService = options.database && options.inProcess !== true;
    const works = isFullService && options.role !== 'api';
    return {
      module: BusModule,
      imports: [DiscoveryModule],
      controllers: isFullService ? controllersOf(options) : [],
      providers: [
        {
          provide: BusConnection,
          inject: [LOGGER, GracefulStop],
          useFactory: (logger: Logger, { stopping }: GracefulStop) =>
            BusConnection.open(options.url, options.name, logger, { stopping }),
        },
        {
          provide: BusClient,
          inject: [BusConnection],
          useFactory: (connection: BusConnection) => new BusClient(connection, options.carriesClaims),
        },
        {
          provide: EventStream,
          inject: [BusConnection],
          useFactory: async (connection: BusConnection) =>
            new EventStream(
              // A server with a full disk blocks connections that use JetStream, so calls use a separate one.
              works ? await connection.openAnother(options.url) : connection,
              limitsOfSettings(),
            ),
        },
        {
          provide: BusShutdown,
          inject: [BusConnection, EventStream],
          useFactory: (...[connection, stream]: [BusConnection, EventStream]) => new BusShutdown(connection, stream),
        },
        { provide: PROCESS_ROLE, useValue: options.role ?? 'all' },
        BusServer,
        InProcessServer,
        ...(options.consumerBackoffMs ? [{ provide: CONSUMER_BACKOFF, useValue: options.consumerBackoffMs }] : []),
        { provide: JOB_KINDS, useValue: options.jobs ?? {} },
        DecoratedMethodScanner,
        IntervalRunner,
        ...(works ? [OutboxRelay, DiscardedEvents, ConsumerRunner, JobRunner] : []),
        ...(options.database && !works ? [RelayWakeup] : []),
      ],
      exports: [BusConnection, BusClient, BusServer, InProcessServer, EventStream, ...(works ? [JobRunner] : [])],
    };
  }
}
