import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import {
  GracefulStop,
  IDEMPOTENCY,
  INBOX,
  keepTrying,
  LOGGER,
  type Logger,
  OUTBOX,
  PROBE,
  WORK,
} from '@signalbox/platform';
import { Pool, type PoolClient, types } from 'pg';
import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import { AfterCommit } from './after-commit.js';
import { Database } from './database.js';
import { requireDatabase } from './require-database.js';
import { PgIdempotency, PgInbox, PgOutbox, PgWork } from './stores.js';

// Every bigint of the schema is a count, an id or epoch milliseconds, far below 2^53.
types.setTypeParser(types.builtins.INT8, Number);

const WORKER_POOL = Symbol('worker pool');
const PROBE_POOL = Symbol('probe pool');

/** What a service says of its tables. */
export interface DatabaseOptions {
  /** Schema and service name. */
  service: string;
  url: string;
  workerUrl: string;
  entities: EntityTarget<ObjectLiteral>[];
  /** Connections of the runtime role; default 10. */
  poolSize?: number;
}

const LIMITS = {
  connectionTimeoutMillis: 2000,
  statement_timeout: 5000,
  idle_in_transaction_session_timeout: 10_000,
  keepAlive: true,
};

class PoolShutdown implements OnApplicationShutdown {
  constructor(
    @Inject(WORKER_POOL) private readonly worker: Pool,
    @Inject(PROBE_POOL) private readonly probe: Pool,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.worker.end(), this.probe.end()]);
  }
}

/**
 * Postgres may end a session while it waits inside a transaction, after the process stood still for long, say. Nobody
 * listens to a connection that is taken out of its pool, and an error nobody hears would end the process; the next
 * statement on it fails all the same.
 */
function hearing(pool: Pool): Pool {
  const heard = new WeakSet<PoolClient>();
  return pool.on('acquire', (client) => {
    if (heard.has(client)) return;
    heard.add(client);
    client.on('error', () => undefined);
  });
}

function poolOf(url: string, max: number, logger: Logger): Pool {
  const pool = new Pool({ connectionString: url, max, ...LIMITS });
  // Without a listener a restart of Postgres would end the process.
  pool.on('error', (error) => logger.warn({ error }, 'idle worker connection lost'));
  return hearing(pool);
}

const runtimeOptions = ({ service, url, entities, poolSize = 10 }: DatabaseOptions, logger: Logger) => ({
  type: 'postgres' as const,
  url,
  schema: service,
  entities: entities as never[],
  synchronize: false,
  logging: false,
  poolSize,
  poolErrorHandler: (error: unknown) => logger.warn({ error }, 'idle connection lost'),
  retryAttempts: 20,
  retryDelay: 500,
  extra: LIMITS,
});

/** The tables of a service: the runtime pool, the narrow worker pool, and the stores built on them. */
@Global()
@Module({})
export class DatabaseModule {
  static forService(options: DatabaseOptions): DynamicModule {
    const { service } = options;
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [LOGGER, GracefulStop],
          useFactory: async (logger: Logger, { stopping }: GracefulStop) => {
            await keepTrying(() => requireDatabase(options.url), { logger, what: 'the database', stopping });
            return runtimeOptions(options, logger);
          },
        }),
      ],
      providers: [
        AfterCommit,
        {
          provide: WORKER_POOL,
          inject: [LOGGER],
          useFactory: (logger: Logger) => poolOf(options.workerUrl, 2, logger),
        },
        {
          // A connection of its own: checks of health must not queue behind claims and the relay.
          provide: PROBE_POOL,
          inject: [LOGGER],
          useFactory: (logger: Logger) => poolOf(options.workerUrl, 1, logger),
        },
        PoolShutdown,
        {
          provide: Database,
          inject: [getDataSourceToken(), WORKER_POOL, AfterCommit],
          useFactory: (source: DataSource, pool: Pool, added: AfterCommit) => {
            hearing((source.driver as unknown as { master: Pool }).master);
            return new Database(source, pool, service, added);
          },
        },
        {
          provide: OUTBOX,
          inject: [Database, AfterCommit],
          useFactory: (db: Database, added: AfterCommit) => new PgOutbox(db, added),
        },
        {
          provide: PROBE,
          inject: [PROBE_POOL],
          useFactory: (pool: Pool) => async () => void (await pool.query('SELECT 1')),
        },
        { provide: INBOX, inject: [Database], useFactory: (db: Database) => new PgInbox(db) },
        {
          provide: WORK,
          inject: [Database, AfterCommit],
          useFactory: (db: Database, added: AfterCommit) => new PgWork(db, added),
        },
        { provide: IDEMPOTENCY, inject: [Database], useFactory: (db: Database) => new PgIdempotency(db) },
      ],
      exports: [PROBE, Database, OUTBOX, INBOX, WORK, IDEMPOTENCY],
    };
  }
}
