import { checksumOf, faultsOf, statementsOf } from './migrations.mjs';
import { lintMigration } from './migration-rules.mjs';

/** Statements that have to be found, each in a separate migration. */
const FOUND = {
  'index without CONCURRENTLY': ['CREATE INDEX i ON agents.tasks (id)'],
  'unique index without CONCURRENTLY': ['CREATE UNIQUE INDEX IF NOT EXISTS i ON "agents".tasks (id)'],
  'index CONCURRENTLY in a transaction': ['CREATE INDEX CONCURRENTLY i ON agents.tasks (id)'],
  'NOT NULL without DEFAULT': ['ALTER TABLE agents.tasks ADD COLUMN a int NOT NULL'],
  'second column NOT NULL without DEFAULT': ['ALTER TABLE agents.tasks ADD a int, ADD COLUMN b int NOT NULL'],
  'SET NOT NULL': ['ALTER TABLE agents.tasks ALTER COLUMN a SET NOT NULL'],
  'type of a column': ['ALTER TABLE agents.tasks ALTER COLUMN a TYPE bigint'],
  'CHECK without NOT VALID': ['ALTER TABLE agents.tasks ADD CONSTRAINT c CHECK (a > 0)'],
  'foreign key without NOT VALID': ['ALTER TABLE agents.tasks ADD FOREIGN KEY (a) REFERENCES agents.agents (id)'],
  'unique constraint': ['ALTER TABLE agents.tasks ADD CONSTRAINT c UNIQUE (a)'],
  'renamed column': ['ALTER TABLE agents.tasks RENAME COLUMN a TO b'],
  'dropped column': ['ALTER TABLE agents.tasks DROP COLUMN a'],
  'dropped table': ['DROP TABLE agents.tasks'],
  'no lock_timeout': ['SET LOCAL lock_timeout = 0', 'ALTER TABLE agents.tasks ADD COLUMN a int'],
};

/** Statements that may be: of a table that the migration creates, or harmless. */
const PERMITTED = {
  'new table': [
    'CREATE TABLE agents.x (a int)',
    'CREATE INDEX i ON "agents".x (a)',
    'ALTER TABLE agents.x ALTER a SET NOT NULL',
  ],
  'column with DEFAULT': [`ALTER TABLE agents.tasks ADD COLUMN a text NOT NULL DEFAULT '', ADD COLUMN b numeric(1, 2)`],
  'constraint NOT VALID': ['ALTER TABLE agents.tasks ADD CONSTRAINT c CHECK (a IN (1, 2)) NOT VALID'],
  'index of a partitioned table without its partitions': ['CREATE INDEX i ON ONLY traffic.requests (id)'],
  'row security': ['ALTER TABLE agents.tasks NO FORCE ROW LEVEL SECURITY'],
  'dropped constraint': ['ALTER TABLE agents.tasks DROP CONSTRAINT c'],
};

async function problemOf([name, statements], isFound, more = {}) {
  const migration = {
    up: async (runner) => void (await Promise.all(statements.map((text) => runner.query(text)))),
    ...more,
  };
  const faults = lintMigration({ migration, statements: await statementsOf(migration) });
  const problem = faults.length > 0 === isFound ? null : isFound ? 'not found' : `found «${faults.join(', ')}»`;
  return { name: `migration: ${name}`, problem };
}

/** Every rule for migrations finds what it is for, and released ones stay as they are. */
export async function violationsOfMigrations() {
  const statements = ['CREATE TABLE agents.x (a int)'];
  const migration = { service: 'agents', name: 'X1', migration: {}, statements };
  const faultsFor = (released) => faultsOf([migration], released).length;
  const frozen = {
    unchanged: faultsFor({ 'agents.X1': checksumOf(['CREATE TABLE  agents.x\n (a int)']) }) === 0,
    changed: faultsFor({ 'agents.X1': checksumOf(['CREATE TABLE agents.x (a text)']) }) === 1,
    gone: faultsFor({ 'agents.X0': checksumOf(statements) }) === 1,
  };
  return [
    ...(await Promise.all(Object.entries(FOUND).map((entry) => problemOf(entry, true)))),
    ...(await Promise.all(Object.entries(PERMITTED).map((entry) => problemOf(entry, false)))),
    await problemOf(['breaking, and says so', ['ALTER TABLE agents.tasks DROP COLUMN a']], false, { requires: 'X1' }),
    ...Object.entries(frozen).map(([name, good]) => ({
      name: `released migration: ${name}`,
      problem: good ? null : 'judged wrongly',
    })),
  ];
}
