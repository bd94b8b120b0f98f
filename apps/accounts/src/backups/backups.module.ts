import { Module } from '@nestjs/common';
import { BackupMetrics } from './backup-metrics.js';

@Module({ providers: [BackupMetrics] })
export class BackupsModule {}
