import { migrateSchemas } from '@signalbox/database';

/** Creates the schema `bench` with the tables that every service has; `DATABASE_ADMIN_URL` may create roles. */
export function createBenchSchema(logins: { DATABASE_URL: string; WORKER_DATABASE_URL: string }): Promise<void> {
  const { DATABASE_URL: runtimeUrl, WORKER_DATABASE_URL: workerUrl } = logins;
  const schema = { service: 'bench', migrations: [], runtimeUrl, workerUrl };
  return migrateSchemas(process.env.DATABASE_ADMIN_URL ?? '', [schema]);
}
