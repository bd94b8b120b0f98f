import { compareSchemas, migrateSchemas, type Migration, type MigrationResult, type MigrationTask } from './migrate.js';

async function run({ adminUrl, schemas, compares, only }: MigrationTask): Promise<MigrationResult> {
  try {
    const loaded = schemas.map(async ({ module, ...logins }) => {
      const { schema } = (await import(module)) as { schema: Migration };
      return { ...schema, ...logins };
    });
    const all = await Promise.all(loaded);
    if (compares === true) return { differences: await compareSchemas(adminUrl, all) };
    await migrateSchemas(adminUrl, all, only);
    return {};
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

// Complete the migrations even when the parent has ended.
process.on('disconnect', () => undefined);
process.once('message', (task: MigrationTask) => {
  void run(task).then((result) => {
    if (process.connected) process.send?.(result, () => process.disconnect());
  });
});
