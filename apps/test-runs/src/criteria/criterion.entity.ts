import type { CriteriaConfig, CriteriaMethod, CriteriaType } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'test-runs', name: 'evaluation_criteria' })
@Index('evaluation_criteria_name', { synchronize: false })
export class CriterionRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') criteria_type!: CriteriaType;
  @Column('text') method!: CriteriaMethod;
  @Column('text', { nullable: true }) prompt!: string | null;
  @Column('jsonb') config!: CriteriaConfig;
  @Column('double precision') pass_threshold!: number;
  @Column('double precision') weight!: number;
  @Column('boolean') enabled!: boolean;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
