import type { ConditionGroup, TagRuleMethod } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'traffic', name: 'tag_rules' })
@Index('tag_rules_name', { synchronize: false })
@Index('tag_rules_of_tag', ['company_id', 'tag_id'])
export class TagRuleRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('text') rule_name!: string;
  @Column('int') tag_id!: number;
  @Column('int', { nullable: true }) application_id!: number | null;
  @Column('int', { nullable: true }) intent_group_id!: number | null;
  @Column('text') method!: TagRuleMethod;
  @Column('jsonb', { nullable: true }) conditions!: ConditionGroup | null;
  @Column('text', { nullable: true }) prompt!: string | null;
  @Column('boolean') apply_to_new!: boolean;
  @Column('boolean') enabled!: boolean;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
