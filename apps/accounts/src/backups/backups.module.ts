import { Module } from '@nestjs/common';
import { BackupMetrics } from './backup-metrics.js';

/** What the platform says about its nightly backups. */
@Module({ providers: [BackupMetrics] })
export class BackupsModule {}
