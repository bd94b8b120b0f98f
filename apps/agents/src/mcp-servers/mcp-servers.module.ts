import { Module } from '@nestjs/common';
import { CompanyProfiles } from '@signalbox/clients';
import { McpCalls } from './client/mcp-calls.js';
import { McpServerHandlers } from './mcp-servers.handlers.js';
import { McpServers } from './mcp-servers.repository.js';

@Module({
  controllers: [McpServerHandlers],
  providers: [CompanyProfiles, McpCalls, McpServers],
  exports: [McpCalls, McpServers],
})
export class McpServersModule {}
