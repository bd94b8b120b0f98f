import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import {
  DEAD_LETTERS,
  GracefulStop,
  IDEMPOTENCY,
  INBOX,
  retryUntilAvailable,
  LOGGER,
  type Logger,
  onScrape,
  OUTBOX,
  poolConnections,
  poolSize,
  PROBE,
  readSettings,
  reportConnections,
  schemaInfo,
  slowdown,
  type RetryContext,
  WORK,
} from '@signalbox/platform';
import { Pool, type PoolClient, type PoolConfig, types } from 'pg';
import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import { sessionLimits, STATEMENT_MS, withCaFile } from './connections.js';
import { AfterCommit } from './stores/after-commit.js';
import { ConnectionTurns } from './connection-turns.js';
import { Database } from './database.js';
import { PgDeadLetters } from './stores/dead-letter-store.js';
import { PgInbox } from './stores/inbox-store.js';
import { measureQueues } from './stores/queue-metrics.js';
import { PgOutbox } from './stores/outbox-store.js';
import { requireDatabase, requireVersion } from './require-database.js';
import { allMigrationsOf, type Migration, nameOfMigration } from './schema/migrate.js';
import { requireKnown, requireMigrations } from './schema/require-schema.js';
import { INFRASTRUCTURE_ENTITIES } from './schema/infrastructure.entity.js';
import { PgIdempotency } from './stores/idempotency-store.js';
import { PgWork } from './stores/work-store.js';

// Every bigint of the schema is a count, an id or epoch milliseconds, far below 2^53.
types.setTypeParser(types.builtins.INT8, Number);

/** Pools of the worker role; separate because the relay holds its connection while it publishes. */
class WorkerPools {
  readonly lookUps: Pool;
  readonly relay: Pool;
  readonly work: Pool;
  /** Health checks must not queue behind claims and the relay. */
  readonly probe: Pool;

  constructor(url: string, logger: Logger) {
    this.lookUps = workerPool(url, logger, 2);
    this.relay = workerPool(url, logger, 1);
    this.work = workerPool(url, logger, 2);
    this.probe = workerPool(url, logger, 1);
  }

  async end(): Promise<void> {
    await Promise.all([this.lookUps.end(), this.relay.end(), this.work.end(), this.probe.end()]);
  }
}

export interface DatabaseOptions {
  service: string;
  url: string;
  workerUrl: string;
  /** Without those of the infrastructure tables, which are added. */
  entities: EntityTarget<ObjectLiteral>[];
  schema?: Migration;
  /** Connections of the runtime role; default DATABASE_POOL_SIZE. */
  poolSize?: number;
}

/**
 * How long calls wait for a connection, new or in use by others, and for a reply, on a machine with free processors.
 * Their own deadlines come first: that of a plain call is 30 s after its arrival. A refused connection fails at once.
 */
const CALL_MS = 25_000;
/** For claims and leases, which have to be repeated before the lease of a job ends. */
const WORKER_MS = STATEMENT_MS + 2000;

/**
 * Connections that are kept without calls; others are closed after ten seconds. The first statement of a connection that
 * reads a partitioned table loads every partition: a second and a half at a year of days.
 */
const KEPT_CONNECTIONS = 2;

const limits = (waitMs: number) => ({
  connectionTimeoutMillis: waitMs,
  ...sessionLimits(),
  // Postgres ends long statements itself, unless it is suspended or its host is cut off: then only the client can.
  query_timeout: waitMs,
  keepAlive: true,
});

class DatabaseMetrics implements OnModuleInit, OnApplicationShutdown {
  private remove: () => void = () => undefined;

  constructor(
    private readonly runtime: Pool,
    private readonly workers: WorkerPools,
    private readonly turns: ConnectionTurns,
    private readonly options: DatabaseOptions,
  ) {}

  onModuleInit(): void {
    const { schema } = this.options;
    const last = schema && allMigrationsOf(schema).at(-1);
    if (last) schemaInfo.set({ schema: schema.service, migration: nameOfMigration(last) }, 1);
    this.remove = onScrape(() => this.measure());
  }

  onApplicationShutdown(): void {
    this.remove();
  }

  private async measure(): Promise<void> {
    const { lookUps, relay, work, probe } = this.workers;
    for (const [name, pool] of Object.entries({ runtime: this.runtime, lookUps, relay, work, probe })) {
      poolSize.set({ pool: name }, pool.options.max);
      poolConnections.set({ pool: name, state: 'idle' }, pool.idleCount);
      poolConnections.set({ pool: name, state: 'busy' }, pool.totalCount - pool.idleCount);
      const waiting = pool.waitingCount + (pool === this.runtime ? this.turns.waiting : 0);
      poolConnections.set({ pool: name, state: 'waiting' }, waiting);
    }
    await measureQueues(probe, this.options.service);
  }
}

class WorkerPoolShutdown implements OnApplicationShutdown {
  constructor(@Inject(WorkerPools) private readonly pools: WorkerPools) {}

  async onApplicationShutdown(): Promise<void> {
    await this.pools.end();
  }
}

/**
 * Checked-out clients have no error listener; without one the process exits when Postgres ends a session inside a
 * transaction (after the process was suspended, for example). The next statement on that client fails anyway.
 */
function withErrorListener(pool: Pool): Pool {
  const listening = new WeakSet<PoolClient>();
  return pool.on('acquire', (client) => {
    if (listening.has(client)) return;
    listening.add(client);
    client.on('error', () => undefined);
  });
}

function workerPool(url: string, logger: Logger, max: number): Pool {
  reportConnections(max);
  const pool = new Pool({ connectionString: url, max, ...limits(WORKER_MS) });
  // Without a listener a restart of Postgres would end the process.
  pool.on('error', (error) => logger.warn({ error }, 'idle worker connection lost'));
  return withErrorListener(pool);
}

/** Lets calls wait longer for a connection while this machine is slow: a worker that starts there connects late. */
function withConnectTimeout(pool: Pool): Pool {
  slowdown.start();
  Object.defineProperty(pool.options, 'connectionTimeoutMillis', { get: () => slowdown.allow(CALL_MS) });
  return pool;
}

class RuntimePool {
  private made: Pool | undefined;
  readonly driver = { Pool: this.remembered((pool) => (this.made = withConnectTimeout(withErrorListener(pool)))) };

  get pool(): Pool {
    if (!this.made) throw new Error('the database is not connected');
    return this.made;
  }

  private remembered(remember: (pool: Pool) => void): typeof Pool {
    return class extends Pool {
      constructor(config?: PoolConfig) {
        super(config);
        remember(this);
      }
    };
  }
}

const sizeOf = ({ poolSize }: DatabaseOptions): number =>
  poolSize ?? readSettings(['DATABASE_POOL_SIZE']).DATABASE_POOL_SIZE;

const runtimeOptions = ({ service, url, entities, ...options }: DatabaseOptions, logger: Logger) => ({
  type: 'postgres' as const,
  url,
  schema: service,
  entities: [...INFRASTRUCTURE_ENTITIES, ...entities] as never[],
  synchronize: false,
  logging: false,
  poolSize: sizeOf({ service, url, entities, ...options }),
  poolErrorHandler: (error: unknown) => logger.warn({ error }, 'idle connection lost'),
  retryAttempts: 20,
  retryDelay: 500,
  extra: { ...limits(CALL_MS), min: KEPT_CONNECTIONS },
});

/** Waits for the migrations of a schema; throws when this code is too old for it. */
async function schemaReady(url: string, schema: Migration, trying: Omit<RetryContext, 'what'>): Promise<void> {
  const what = `the schema of ${schema.service}`;
  requireKnown(schema, await retryUntilAvailable(() => requireMigrations(url, schema), { ...trying, what }));
}

@Global()
@Module({})
export class DatabaseModule {
  static forService(given: DatabaseOptions): DynamicModule {
    const options = { ...given, url: withCaFile(given.url), workerUrl: withCaFile(given.workerUrl) };
    const { service } = options;
    const runtime = new RuntimePool();
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [LOGGER, GracefulStop],
          useFactory: async (logger: Logger, { stopping }: GracefulStop) => {
            const what = 'the database';
            requireVersion(await retryUntilAvailable(() => requireDatabase(options.url), { logger, what, stopping }));
            if (options.schema) await schemaReady(options.url, options.schema, { logger, stopping });
            reportConnections(sizeOf(options));
            return { ...runtimeOptions(options, logger), driver: runtime.driver };
          },
        }),
      ],
      providers: [
        AfterCommit,
        {
          provide: WorkerPools,
          inject: [LOGGER],
          useFactory: (logger: Logger) => new WorkerPools(options.workerUrl, logger),
        },
        WorkerPoolShutdown,
        {
          provide: ConnectionTurns,
          useFactory: () => new ConnectionTurns(sizeOf(options), () => slowdown.allow(CALL_MS)),
        },
        {
          provide: Database,
          inject: [getDataSourceToken(), WorkerPools, AfterCommit, ConnectionTurns],
          useFactory: (source: DataSource, pools: WorkerPools, added: AfterCommit, turns: ConnectionTurns) =>
            new Database(source, runtime.pool, pools.lookUps, service, added, turns),
        },
        {
          provide: DatabaseMetrics,
          inject: [getDataSourceToken(), WorkerPools, ConnectionTurns],
          useFactory: (_source: DataSource, pools: WorkerPools, turns: ConnectionTurns) =>
            new DatabaseMetrics(runtime.pool, pools, turns, options),
        },
        {
          provide: OUTBOX,
          inject: [Database, AfterCommit, WorkerPools],
          useFactory: (db: Database, added: AfterCommit, { relay }: WorkerPools) => new PgOutbox(db, added, relay),
        },
        {
          provide: PROBE,
          inject: [WorkerPools],
          useFactory:
            ({ probe }: WorkerPools) =>
            async () =>
              void (await probe.query('SELECT 1')),
        },
        { provide: INBOX, inject: [Database], useFactory: (db: Database) => new PgInbox(db) },
        { provide: DEAD_LETTERS, inject: [Database], useFactory: (db: Database) => new PgDeadLetters(db) },
        {
          provide: WORK,
          inject: [WorkerPools, AfterCommit],
          useFactory: ({ work }: WorkerPools, added: AfterCommit) => new PgWork(work, service, added),
        },
        { provide: IDEMPOTENCY, inject: [Database], useFactory: (db: Database) => new PgIdempotency(db) },
      ],
      exports: [PROBE, Database, OUTBOX, INBOX, DEAD_LETTERS, WORK, IDEMPOTENCY],
    };
  }
}
