import type { MigrationInterface, QueryRunner } from 'typeorm';
import { rolesOf } from './schema.js';

/** Names of migrations that code must have to serve with a schema; breaking migrations add theirs. */
export const schemaRequirements = (service: string): new () => MigrationInterface =>
  class SchemaRequirements1700000009300 implements MigrationInterface {
    readonly name = 'SchemaRequirements1700000009300';

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`CREATE TABLE "${service}".schema_requirements (name text PRIMARY KEY)`);
      await runner.query(`GRANT SELECT ON "${service}".schema_requirements TO ${rolesOf(service).runtime}`);
    }

    async down(runner: QueryRunner): Promise<void> {
      await runner.query(`DROP TABLE "${service}".schema_requirements`);
    }
  };
