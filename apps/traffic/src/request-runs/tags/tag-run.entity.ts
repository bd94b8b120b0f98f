import { RunColumns, RunEventColumns, RunTimelineColumns } from '@signalbox/runs';
import { Column, Entity, Index } from 'typeorm';

@Entity({ schema: 'traffic', name: 'tag_runs' })
@Index('tag_runs_ended', { synchronize: false })
@Index('tag_runs_of_company', ['company_id', 'no'])
export class TagRunRow extends RunColumns {
  @Column('int', { array: true }) rule_ids!: number[];
  @Column('jsonb') rules!: unknown;
  @Column('jsonb') filters!: unknown;
  @Column('bigint', { nullable: true }) upto!: number | null;
  @Column('bigint') cursor!: number;
  @Column('int') total_requests!: number;
  @Column('int') processed!: number;
  @Column('int') tagged!: number;
  @Column('int') judgements!: number;
  @Column('int') errors!: number;
  @Column('text', { nullable: true }) last_error!: string | null;
}

@Entity({ schema: 'traffic', name: 'tag_run_events' })
export class TagRunEventRow extends RunEventColumns {}

@Entity({ schema: 'traffic', name: 'tag_run_timeline' })
@Index('tag_run_timeline_of_run', ['company_id', 'run_id', 'no'])
export class TagRunTimelineRow extends RunTimelineColumns {}
