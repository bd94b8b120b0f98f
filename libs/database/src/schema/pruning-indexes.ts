import type { MigrationInterface } from 'typeorm';
import { largeTableIndexes } from './large-table-indexes.js';

export const pruningIndexes = (service: string): new () => MigrationInterface =>
  largeTableIndexes('PruningIndexes1700000000300', service, [
    { name: 'work_done', on: `"${service}".work (done_at) WHERE done_at IS NOT NULL` },
    { name: 'idempotency_created', on: `"${service}".idempotency (date_created)` },
  ]);
