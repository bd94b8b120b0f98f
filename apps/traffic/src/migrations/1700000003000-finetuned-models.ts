import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A finetune run makes one model, however often its worker is lost before it has recorded it. */
export class FinetunedModels1700000003000 implements MigrationInterface {
  readonly name = 'FinetunedModels1700000003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE UNIQUE INDEX models_finetune_run ON traffic.models (company_id, finetune_run_id) WHERE finetune_run_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX traffic.models_finetune_run');
  }
}
