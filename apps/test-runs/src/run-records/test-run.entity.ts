import { RunColumns, RunEventColumns, RunTimelineColumns } from '@signalbox/runs';
import { Column, Entity, Index } from 'typeorm';

@Entity({ schema: 'test-runs', name: 'runs' })
@Index('runs_ended', { synchronize: false })
@Index('runs_no', ['company_id', 'no'], { unique: true })
@Index('runs_of_consumer', ['company_id', 'consumer_kind', 'consumer_id', 'no'])
@Index('runs_of_set', ['company_id', 'test_set_id', 'no'])
export class TestRunRow extends RunColumns {
  @Column('int') test_set_id!: number;
  @Column('text', { nullable: true }) name!: string | null;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('jsonb') meta!: unknown;
  @Column('text') consumer_kind!: string;
  @Column('jsonb') consumer_config!: unknown;
  @Column('int', { nullable: true }) consumer_id!: number | null;
  @Column('text', { nullable: true }) consumer_version!: string | null;
  @Column('text', { nullable: true }) target_name!: string | null;
  @Column('int', { array: true }) criteria_ids!: number[];
  @Column('boolean') auto_score!: boolean;
  @Column('int') repeats!: number;
  @Column('boolean') executed!: boolean;
  @Column('int') concurrency!: number;
  @Column('int') total_items!: number;
  @Column('int') completed_items!: number;
  @Column('int') failed_items!: number;
  @Column('int', { nullable: true }) matched_items!: number | null;
  @Column('double precision', { nullable: true }) match_rate!: number | null;
  @Column('bigint', { nullable: true }) prepared_at!: number | null;
  @Column('bigint', { nullable: true }) scored_at!: number | null;
  @Column('bigint') date_updated!: number;
  @Column('json', { nullable: true }) totals!: unknown;
  @Column('jsonb', { nullable: true }) scored_with!: unknown;
  @Column('bigint', { nullable: true }) cancelled_at!: number | null;
}

@Entity({ schema: 'test-runs', name: 'run_events' })
export class TestRunEventRow extends RunEventColumns {}

@Entity({ schema: 'test-runs', name: 'run_timeline' })
@Index('run_timeline_of_run', ['company_id', 'run_id', 'no'])
export class TestRunTimelineRow extends RunTimelineColumns {}
