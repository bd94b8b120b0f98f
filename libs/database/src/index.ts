export * from './array-parameter.js';
export * from './database.js';
export * from './tx.js';
export * from './database.module.js';
export { INFRASTRUCTURE_ENTITIES } from './schema/infrastructure.entity.js';
export * from './schema/migrate.js';
export { largeTableIndexes } from './schema/large-table-indexes.js';
export { LookupBatcher } from './lookup-batcher.js';
export * from './repository.js';
export * from './resource.js';
export { ApplicationNames, type NamedApplication } from './names/application-names.js';
export type { NamedFamily } from './names/named-family.js';
export * from './names/named-resources.js';
export { filterVariants, placedSql, placedValues } from './lists/placed-filters.js';
export { runFiltersOf } from './lists/run-filters.js';
export { SCHEMA_STATEMENTS } from './schema-statements.js';
export { likeText, likeTextInJson } from './like-text.js';
export { requireDatabase } from './require-database.js';
export { requireFewer } from './require-fewer.js';
export * from './schema/schema.js';
export * from './session-feedback.js';
export {
  composed,
  type ComposedStatement,
  readStatement,
  Statement,
  type StatementUse,
  txStatement,
  workerStatement,
} from './statement.js';
export { companiesWith } from './stores/companies-with.js';
export { ObjectDeletionRow, ObjectDeletions, objectDeletionsTable } from './stores/object-deletions.js';
export { linesOf } from './uploads/lines.js';
export { UploadPartRow } from './uploads/upload-part.entity.js';
export { uploadPartsTable } from './uploads/upload-parts.js';
export { Uploads } from './uploads/uploads.js';
export { DraftSnapshots } from './versions/draft-snapshots.js';
export { draftStatements } from './versions/drafts.sql.js';
export * from './versions/snapshot-diff.js';
export * from './versions/next-version.js';
export * from './versions/releases.js';
export * from './versions/release-write.js';
export * from './versions/version-family.js';
export { versionEntities } from './versions/versions.entity.js';
export * from './versions/versions.js';
export * from './view.js';
