import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Exclusion, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'agents', name: 'routing_rules' })
@Exclusion(
  'routing_rules_position',
  'USING btree (company_id WITH =, agent_id WITH =, position WITH =) WHERE (deleted_at IS NULL)',
)
export class RoutingRuleRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('int') agent_id!: number;
  @Column('text') label!: string;
  @Column('text', { nullable: true }) condition_expression!: string | null;
  @Column('jsonb') conditions!: unknown;
  @Column('jsonb') route!: unknown;
  @Column('boolean') enabled!: boolean;
  @Column('int') position!: number;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
