import type { Model, OnOff } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'traffic', name: 'models' })
@Index('models_name', { synchronize: false })
@Index('models_provider', { synchronize: false })
@Index('models_finetune_run', { synchronize: false })
export class ModelRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('text') model_name!: string;
  @Column('text') display_name!: string;
  @Column('int') provider_id!: number;
  @Column('text') provider_model!: string;
  @Column('text') model_type!: Model['model_type'];
  @Column('text', { nullable: true }) base_model!: string | null;
  @Column('int', { nullable: true }) finetune_run_id!: number | null;
  @Column('int', { nullable: true }) intent_group_id!: number | null;
  @Column('int', { nullable: true }) context_window!: number | null;
  @Column('double precision', { nullable: true }) input_price_per_mtok!: number | null;
  @Column('double precision', { nullable: true }) output_price_per_mtok!: number | null;
  @Column('boolean') supports_tools!: boolean;
  @Column('boolean') supports_json_schema!: boolean;
  @Column('boolean') trainable!: boolean;
  @Column('text') status!: OnOff;
  @Column('boolean') built_in!: boolean;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
