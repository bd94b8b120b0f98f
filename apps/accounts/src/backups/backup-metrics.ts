import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Database } from '@signalbox/database';
import { onScrape, registry } from '@signalbox/platform';
import { Gauge } from 'prom-client';

/** The table belongs to `signalbox admin backups`, which creates it with its first outcome. */
const IS_THERE = `SELECT coalesce(has_table_privilege(to_regclass('public.signalbox_backups'), 'SELECT'), false) AS "isThere"`;

const LAST_ENDS = `SELECT CASE WHEN failure IS NULL THEN 'verified' ELSE 'failed' END AS outcome,
    extract(epoch FROM max(at))::float8 AS ended_at
  FROM public.signalbox_backups GROUP BY 1`;

/** Has no sample before the first backup. */
const backupEnds = new Gauge({
  name: 'signalbox_backup_last_timestamp_seconds',
  help: 'When a backup was last read to its end (outcome verified) or last failed (failed), in seconds since 1970; of the latest 90 days',
  labelNames: ['outcome'] as const,
  registers: [registry],
});

/** SQL: the table has at most some hundred rows and belongs to no company and to no schema of a service. */
@Injectable()
export class BackupMetrics implements OnModuleInit, OnApplicationShutdown {
  private remove: () => void = () => undefined;

  constructor(private readonly db: Database) {}

  onModuleInit(): void {
    this.remove = onScrape(() => this.measure());
  }

  onApplicationShutdown(): void {
    this.remove();
  }

  private async measure(): Promise<void> {
    const [table] = await this.db.asWorker<{ isThere: boolean }>(IS_THERE);
    const ends = table?.isThere ? await this.db.asWorker<{ outcome: string; ended_at: number }>(LAST_ENDS) : [];
    backupEnds.reset();
    for (const { outcome, ended_at } of ends) backupEnds.set({ outcome }, ended_at);
  }
}
