import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Exclusion, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'agents', name: 'form_fields' })
@Index('form_fields_key', { synchronize: false })
@Exclusion(
  'form_fields_position',
  'USING btree (company_id WITH =, agent_id WITH =, position WITH =) WHERE (deleted_at IS NULL)',
)
export class FormFieldRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('int') agent_id!: number;
  @Column('text') field_key!: string;
  @Column('text') label!: string;
  @Column('text') field_type!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('boolean') required!: boolean;
  @Column('jsonb', { nullable: true }) enum_values!: unknown;
  @Column('jsonb', { nullable: true }) default_value!: unknown;
  @Column('text') read_scope!: string;
  @Column('text') write_scope!: string;
  @Column('int') position!: number;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
