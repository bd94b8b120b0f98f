// Checks the migrations by the statements that they run: those of a release stay as they are, and new ones neither lock
// tables for long nor break the release before them.
//   node tools/check/migrations.mjs            the check
//   node tools/check/migrations.mjs --freeze   a step of a release: notes the checksums of all migrations
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { lintMigration } from './migration-rules.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RELEASED = join(ROOT, 'tools/check/released-migrations.json');

/** The statements of a migration. None is executed: what they would return is empty. */
export async function statementsOf(migration) {
  const statements = [];
  await migration.up({
    query(text) {
      statements.push(text);
      return Promise.resolve([]);
    },
  });
  return statements;
}

/** Every migration of every service. */
async function allMigrations() {
  const { allMigrationsOf } = await import(join(ROOT, 'libs/database/dist/src/index.js'));
  const found = [];
  for (const app of readdirSync(join(ROOT, 'apps'))) {
    const file = join(ROOT, 'apps', app, 'dist/src/migrations/index.js');
    if (!existsSync(file)) continue;
    const { schema } = await import(pathToFileURL(file).href);
    for (const Migration of allMigrationsOf(schema)) {
      const migration = new Migration();
      found.push({ service: schema.service, migration, name: migration.name ?? Migration.name });
    }
  }
  return Promise.all(found.map(async (each) => ({ ...each, statements: await statementsOf(each.migration) })));
}

/** Layout is not part of a statement. */
export const checksumOf = (statements) =>
  createHash('sha256')
    .update(statements.map((text) => text.replace(/\s+/g, ' ').trim()).join(';'))
    .digest('hex');

/** What is wrong with migrations, given the checksums of the released ones by service and name. */
export function faultsOf(migrations, released) {
  const keyOf = ({ service, name }) => `${service}.${name}`;
  const found = new Map(migrations.map((each) => [keyOf(each), each]));
  const changed = Object.entries(released).flatMap(([key, checksum]) => {
    const migration = found.get(key);
    if (!migration) return [`${key} is released and is gone: databases have it`];
    if (checksumOf(migration.statements) === checksum) return [];
    return [`${key} is released and has changed: databases that have run it stay as they are. Add a migration`];
  });
  const fresh = migrations.filter((each) => !(keyOf(each) in released));
  return [...changed, ...fresh.flatMap((each) => lintMigration(each).map((fault) => `${keyOf(each)}: ${fault}`))];
}

async function main() {
  const migrations = await allMigrations();
  if (process.argv.includes('--freeze')) {
    const checksums = migrations.map(({ service, name, statements }) => [`${service}.${name}`, checksumOf(statements)]);
    writeFileSync(RELEASED, `${JSON.stringify(Object.fromEntries(checksums.sort()), null, 2)}\n`);
  }
  const released = JSON.parse(readFileSync(RELEASED, 'utf8'));
  const faults = faultsOf(migrations, released);
  for (const fault of faults) console.error(fault);
  const fresh = migrations.filter(({ service, name }) => !(`${service}.${name}` in released)).length;
  console.log(`${migrations.length} migrations, ${fresh} of them not released yet, ${faults.length} faults`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
