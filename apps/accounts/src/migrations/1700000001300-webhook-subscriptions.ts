import { openToWorker } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The worker role reads which companies subscribe to which events, and nothing else of webhooks. */
export class WebhookSubscriptions1700000001300 implements MigrationInterface {
  readonly name = 'WebhookSubscriptions1700000001300';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of openToWorker('accounts', 'webhooks', 'SELECT (company_id, events, enabled, deleted_at)'))
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP POLICY worker ON accounts.webhooks');
    await runner.query(
      'REVOKE SELECT (company_id, events, enabled, deleted_at) ON accounts.webhooks FROM svc_accounts_worker',
    );
  }
}
