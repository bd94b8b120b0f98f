import type { Agent, AgentKind, OnOff, ResponseFormat, RoutingConfig } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import type { DraftSizes } from './draft-limits.js';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'agents', name: 'agents' })
@Index('agents_name', { synchronize: false })
export class AgentRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('int', { nullable: true }) application_id!: number | null;
  @Column('text') agent_name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') status!: OnOff;
  @Column('text') execution_mode!: Agent['execution_mode'];
  @Column('text', { nullable: true }) model!: string | null;
  @Column('text', { nullable: true }) system_prompt!: string | null;
  @Column('text', { nullable: true }) strategy_prompt_addendum!: string | null;
  @Column('jsonb') agent_config!: Record<string, unknown>;
  @Column('int') max_iterations!: number;
  @Column('double precision', { nullable: true }) max_cost!: number | null;
  @Column('jsonb', { nullable: true }) response_format!: ResponseFormat | null;
  @Column('text', { nullable: true }) base_url!: string | null;
  @Column('jsonb') meta!: Record<string, unknown>;
  @Column('int', { array: true }) mcp_servers!: number[];
  @Column('jsonb') routing!: RoutingConfig;
  @Column('text') draft_hash!: string;
  @Column('text', { nullable: true }) published_hash!: string | null;
  @Column('jsonb', { nullable: true }) draft_sizes!: DraftSizes | null;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
  @Column('text') kind!: AgentKind;
}
