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

export interface OpenDatabase {
  db: Database;
  outbox: OutboxStore;
  inbox: InboxStore;
  work: WorkStore;
  idempotency: IdempotencyStore;
  close(): Promise<void>;
}

export function migrateOn(servers: TestServers, service: string): Promise<void> {
  return migrate([service], servers.postgres.url, join(servers.dir, 'logs', `${service}.migrate.log`));
}

export async function openDatabase(servers: TestServers, service: string, poolSize = 10): Promise<OpenDatabase> {
  // Imported here because few tests open tables themselves.
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
