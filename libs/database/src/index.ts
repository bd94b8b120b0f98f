export * from './database.js';
export * from './database.module.js';
export * from './migrate.js';
export * from './repository.js';
export * from './schema.js';
export { fromPostgres } from './sql-errors.js';
export * from './snapshot-diff.js';
export * from './versions.js';
export * from './view.js';
