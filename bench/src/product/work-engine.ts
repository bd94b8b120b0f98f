import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BusConnection, WorkLoop } from '@signalbox/bus';
import { Database, DatabaseModule } from '@signalbox/database';
import { createLogger, loggerModule, readSettings, WORK, type WorkStore } from '@signalbox/platform';
import { serveEngine } from '../work/engine.js';
import { createBenchSchema } from './schema.js';

// The work engine of every service, in a separate service: jobs are rows added in a transaction of their company,
// claimed with a lease and a fence, retained when done.

const COMPANIES = 20;
const settings = readSettings(['DATABASE_URL', 'WORKER_DATABASE_URL', 'NATS_URL']);
const logger = createLogger('bench', 'warn');

/** A service without contracts or events, only work. */
@Module({})
class BenchModule {
  static with(): DynamicModule {
    const database = { service: 'bench', entities: [], url: settings.DATABASE_URL };
    return {
      module: BenchModule,
      imports: [
        loggerModule(logger),
        DatabaseModule.forService({ ...database, workerUrl: settings.WORKER_DATABASE_URL }),
      ],
    };
  }
}

await serveEngine(async (began) => {
  await createBenchSchema(settings);
  const connection = await BusConnection.open(settings.NATS_URL, 'tester', logger);
  const app = await NestFactory.createApplicationContext(BenchModule.with(), { logger: false });
  const db = app.get(Database);
  const loop = new WorkLoop(app.get<WorkStore>(WORK), connection, logger, {
    kind: 'nothing',
    concurrency: 500,
    run: (job) => Promise.resolve(began(job.ref)),
    exhausted: () => Promise.resolve(),
  });
  loop.start();
  let turn = 0;
  return {
    enqueue: (refs) =>
      db.withCompany({ companyId: (turn++ % COMPANIES) + 1 }, (tx) => {
        for (const ref of refs) tx.addWork('nothing', ref);
        return Promise.resolve();
      }),
    async outstanding() {
      const rows = await db.asWorker<{ count: number }>(
        `SELECT count(*)::int AS count FROM (
           SELECT 1 FROM bench.work WHERE done_at IS NULL AND lease_owner IS NULL
           UNION ALL SELECT 1 FROM bench.work WHERE done_at IS NULL AND lease_owner IS NOT NULL) open`,
      );
      return rows[0]?.count ?? 0;
    },
    async stop() {
      await loop.stop();
      await app.close();
      await connection.close();
    },
  };
});
