import type { McpDrift, McpRefreshError, McpTool } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'agents', name: 'mcp_servers' })
@Index('mcp_servers_name', { synchronize: false })
export class McpServerRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('text') name!: string;
  @Column('text') url!: string;
  @Column('jsonb') headers!: Record<string, string>;
  @Column('text', { array: true }) include_tools!: string[];
  @Column('text', { array: true }) exclude_tools!: string[];
  @Column('jsonb') tools!: McpTool[];
  @Column('bigint', { nullable: true }) refreshed_at!: number | null;
  @Column('jsonb', { nullable: true }) refresh_error!: McpRefreshError | null;
  @Column('jsonb') drift!: McpDrift[];
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
