import type { ActionType, AgentAction } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'agents', name: 'actions' })
@Index('actions_default', { synchronize: false })
@Index('actions_name', { synchronize: false })
export class ActionRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('int') agent_id!: number;
  @Column('text') action_name!: string;
  @Column('text') action_type!: ActionType;
  @Column('text') description!: string;
  @Column('boolean') enabled!: boolean;
  @Column('jsonb', { nullable: true }) action_config!: Record<string, unknown> | null;
  @Column('jsonb') meta!: Record<string, unknown>;
  @Column('boolean') is_default!: boolean;
  @Column('text') action_result_type!: AgentAction['action_result_type'];
  @Column('text') invocation_mode!: AgentAction['invocation_mode'];
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
