import { Module } from '@nestjs/common';
import { BodiesModule } from '../bodies/index.js';
import { RepliesModule } from '../replies/index.js';
import { McpCallLog } from './call-log.js';
import { McpController } from './mcp.controller.js';
import { McpRequests } from './mcp-requests.js';
import { ReleaseTools } from './releases/index.js';

@Module({
  imports: [BodiesModule, RepliesModule],
  controllers: [McpController],
  providers: [McpCallLog, McpRequests, ReleaseTools],
})
export class McpModule {}
