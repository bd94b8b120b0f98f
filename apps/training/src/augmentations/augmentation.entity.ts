import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The extension of a dataset by a model. */
@Entity({ schema: 'training', name: 'augmentations' })
@Index('augmentations_ended', { synchronize: false })
@Index('augmentations_of_dataset', ['company_id', 'dataset_id', 'no'])
export class AugmentationRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('uuid') id!: string;
  @Column('bigint', { generated: 'identity' }) no!: number;
  @Column('text') status!: string;
  @Column('text') work_kind!: string;
  @Column('boolean') has_secrets!: boolean;
  @Column('int') last_seq!: number;
  @Column('text', { nullable: true }) failure_class!: string | null;
  @Column('text', { nullable: true }) error_code!: string | null;
  @Column('text', { nullable: true }) error_message!: string | null;
  @Column('int') dataset_id!: number;
  @Column('text') type!: string;
  @Column('text') model!: string;
  @Column('jsonb') schema!: unknown;
  @Column('int') count!: number;
  @Column('int') upto!: number;
  @Column('int') cursor!: number;
  @Column('int') produced!: number;
  @Column('int') failed!: number;
  @Column('text', { nullable: true }) last_error!: string | null;
  @Column('bigint') date_created!: number;
  @Column('bigint', { nullable: true }) started_at!: number | null;
  @Column('bigint', { nullable: true }) completed_at!: number | null;
}

/** An event of the stream of an augmentation. */
@Entity({ schema: 'training', name: 'augmentation_events' })
export class AugmentationEventRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('uuid') run_id!: string;
  @PrimaryColumn('int') seq!: number;
  @Column('text') type!: string;
  @Column('jsonb') data!: unknown;
  @Column('bigint') timestamp!: number;
}

/** An entry of the timeline of an augmentation. */
@Entity({ schema: 'training', name: 'augmentation_timeline' })
@Index('augmentation_timeline_of_run', ['company_id', 'run_id', 'no'])
export class AugmentationTimelineRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('bigint', { generated: 'identity' }) no!: number;
  @Column('uuid') run_id!: string;
  @Column('text') type!: string;
  @Column('jsonb') data!: unknown;
  @Column('bigint') timestamp!: number;
}
