import { RunColumns, RunEventColumns, RunTimelineColumns } from '@signalbox/runs';
import { Column, Entity, Index } from 'typeorm';

@Entity({ schema: 'training', name: 'augmentations' })
@Index('augmentations_ended', { synchronize: false })
@Index('augmentations_of_dataset', ['company_id', 'dataset_id', 'no'])
export class AugmentationRow extends RunColumns {
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
}

@Entity({ schema: 'training', name: 'augmentation_events' })
export class AugmentationEventRow extends RunEventColumns {}

@Entity({ schema: 'training', name: 'augmentation_timeline' })
@Index('augmentation_timeline_of_run', ['company_id', 'run_id', 'no'])
export class AugmentationTimelineRow extends RunTimelineColumns {}
