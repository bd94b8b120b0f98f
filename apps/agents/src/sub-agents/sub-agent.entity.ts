import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Exclusion, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'agents', name: 'sub_agents' })
@Index('sub_agents_child', { synchronize: false })
@Index('sub_agents_parents', { synchronize: false })
@Exclusion(
  'sub_agents_position',
  'USING btree (company_id WITH =, agent_id WITH =, position WITH =) WHERE (deleted_at IS NULL)',
)
export class SubAgentRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('int') agent_id!: number;
  @Column('int') child_agent_id!: number;
  @Column('text', { nullable: true }) version!: string | null;
  @Column('text', { nullable: true }) release!: string | null;
  @Column('text') action_result_type!: string;
  @Column('int') position!: number;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
