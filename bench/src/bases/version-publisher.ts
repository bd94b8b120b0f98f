import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Caller, emission, type MonitorVersion, monitorEvents, type Monitor } from '@signalbox/contracts';
import { Database, DatabaseModule, draftStatements, DraftSnapshots, familySql, Versions } from '@signalbox/database';
import { createLogger, loggerModule, readSettings } from '@signalbox/platform';
import Fastify from 'fastify';
import { answer } from '../measure/answer.js';

// The base of P16 for a publish: one Fastify process that runs the same statements in the same transaction, outbox and
// audit entry included. No key, no bus, no validation of the draft.

const { COMPANY, PORT } = process.env;
const settings = readSettings(['DATABASE_URL', 'WORKER_DATABASE_URL']);

class Root {}
Module({
  imports: [
    loggerModule(createLogger('bench', 'warn')),
    DatabaseModule.forService({
      service: 'monitors',
      entities: [],
      url: settings.DATABASE_URL,
      workerUrl: settings.WORKER_DATABASE_URL,
    }),
  ],
})(Root);
const context = await NestFactory.createApplicationContext(Root, { logger: false });
const db = context.get(Database);
const drafts = new DraftSnapshots<object>(
  db,
  draftStatements(
    { index: 'monitors_pkey' },
    'monitors.monitors',
    `jsonb_build_object('name', t.name, 'description', t.description, 'config', t.config, 'meta', t.meta)`,
  ),
  'monitor',
);
const versions = new Versions<object, MonitorVersion, Monitor>(db, {
  ...familySql({
    schema: 'monitors',
    type: 'monitor',
    parent: 'monitors',
    nameColumn: 'name',
    parentColumn: 'monitor_id',
    prefix: 'monitor',
  }),
  published: (id, data) => emission(monitorEvents, 'monitor.version_published', id, data),
  releaseMoved: (id, data) => emission(monitorEvents, 'monitor.release_moved', id, data),
  versionView: {
    resource: 'version',
    table: 'monitors.monitor_versions',
    columns: ['id', 'monitor_id', 'version_number', 'is_latest', 'version_notes', 'date_created'],
    alive: 'true',
  },
  freeze: (tx, id) => drafts.freeze(tx, id),
  draft: (companyId, id) => drafts.find(companyId, id),
  restore: () => Promise.reject(new Error('the bench restores nothing')),
});
let sent = 0;
const callerOf = (): Caller => ({
  companyId: Number(COMPANY),
  keyId: 1,
  scopes: ['write'],
  requestId: `base-${++sent}`,
  deadline: Date.now() + 30_000,
});

const server = Fastify();
server.post<{ Params: { id: string }; Body: { increment: 'patch'; version_notes: string } }>(
  '/api/v1/monitors/:id/versions',
  async ({ params, body }, reply) => {
    const { companyId } = callerOf();
    await versions.draft(companyId, Number(params.id));
    const made = await versions.publish(callerOf(), Number(params.id), body.increment, body.version_notes);
    reply.type('application/json; charset=utf-8');
    return `{"data":${made.text}}`;
  },
);
await server.listen({ host: '127.0.0.1', port: Number(PORT) });

answer(
  () => Promise.resolve(null),
  async () => {
    await server.close();
    await context.close();
  },
);
