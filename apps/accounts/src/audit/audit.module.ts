import { Module } from '@nestjs/common';
import { AuditLogHandlers } from './audit-log.handlers.js';
import { AuditLog } from './audit-log.repository.js';
import { AuditRetention } from './audit-retention.worker.js';

@Module({
  controllers: [AuditLogHandlers],
  providers: [AuditLog, AuditRetention],
})
export class AuditModule {}
