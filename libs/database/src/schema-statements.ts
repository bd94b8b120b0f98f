import { APPLICATION_NAMES } from './names/application-names.sql.js';
import type { SchemaStatements } from './statement.js';
import { DEAD_LETTERS } from './stores/dead-letters.sql.js';
import { IDEMPOTENT_CALLS } from './stores/idempotency.sql.js';
import { INBOX } from './stores/inbox.sql.js';
import { OBJECT_MARKS } from './stores/object-deletions.sql.js';
import { OUTBOX } from './stores/outbox.sql.js';
import { WORK } from './stores/work.sql.js';
import { UPLOAD_PARTS } from './uploads/uploads.sql.js';

export const SCHEMA_STATEMENTS: readonly SchemaStatements<object>[] = [
  APPLICATION_NAMES,
  DEAD_LETTERS,
  IDEMPOTENT_CALLS,
  INBOX,
  OBJECT_MARKS,
  OUTBOX,
  UPLOAD_PARTS,
  WORK,
];
