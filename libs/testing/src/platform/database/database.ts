import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Database } from '@signalbox/database';
import {
  createLogger,
  IDEMPOTENCY,
  type IdempotencyStore,
  INBOX,
  type InboxStore,
  loggerModule,
  nestLogger,
  OUTBOX,
  type OutboxStore,
  WORK,
  type WorkStore,
} from '@signalbox/platform';
import { serviceEnv } from '../service-environment.js';
import { migrate } from './migrate.js';
import type { TestServers } from '../servers.js';

/** The tables of a service, opened with its own roles in the process of a test. */
export interface OpenDatabase {
  db: Database;
  outbox: OutboxStore;
  inbox: InboxStore;
  work: WorkStore;
  idempotency: IdempotencyStore;
  close(): Promise<void>;
}

/** Makes the schema of a service as its own migrations do. */
export function migrateOn(servers: TestServers, service: string): Promise<void> {
  return migrate([service], servers.postgres.url, join(servers.dir, 'logs', `${service}.migrate.log`));
}

/** Opens the tables of a service under its runtime and worker roles. */
export async function openDatabase(servers: TestServers, service: string, poolSize = 10): Promise<OpenDatabase> {
  // Few tests open tables themselves; the others do not wait for all that this loads.
  const { Database, DatabaseModule } = await import('@signalbox/database');
  const env = serviceEnv(servers, service);
  const logger = createLogger('tester', 'silent');
  class Root {}
  Module({
    imports: [
      loggerModule(logger),
      DatabaseModule.forService({
        service,
        url: env.DATABASE_URL ?? '',
        workerUrl: env.WORKER_DATABASE_URL ?? '',
        entities: [],
        poolSize,
      }),
    ],
  })(Root);
  const context = await NestFactory.createApplicationContext(Root, { logger: nestLogger(logger), abortOnError: false });
  return {
    db: context.get(Database),
    outbox: context.get<OutboxStore>(OUTBOX),
    inbox: context.get<InboxStore>(INBOX),
    work: context.get<WorkStore>(WORK),
    idempotency: context.get<IdempotencyStore>(IDEMPOTENCY),
    close: () => context.close(),
  };
}
