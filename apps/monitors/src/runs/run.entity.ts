import type { MonitorOutcome } from '@signalbox/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Without an outcome the run waits to be judged, and no read shows it. */
@Entity({ schema: 'monitors', name: 'monitor_runs' })
@Index('monitor_runs_source', ['company_id', 'source_type', 'source_id', 'monitor_target_id', 'monitor_version_id'], {
  unique: true,
})
@Index('monitor_runs_of', { synchronize: false })
@Index('monitor_runs_newest', { synchronize: false })
@Index('monitor_runs_time', { synchronize: false })
@Index('monitor_runs_batch', { synchronize: false })
@Index('monitor_runs_cost', { synchronize: false })
@Index('monitor_runs_duration', { synchronize: false })
@Index('monitor_runs_failed', { synchronize: false })
@Index('monitor_runs_not_passed', { synchronize: false })
@Index('monitor_runs_of_version', { synchronize: false })
export class MonitorRunRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('bigint', { generated: 'identity' }) id!: number;
  @Column('int') monitor_id!: number;
  @Column('int') monitor_target_id!: number;
  @Column('int') monitor_version_id!: number;
  @Column('text') version_number!: string;
  @Column('text', { nullable: true }) release!: string | null;
  @Column('text') source_type!: string;
  @Column('text') source_id!: string;
  @Column('text') runner_type!: string;
  @Column('text', { nullable: true }) runner_ref_id!: string | null;
  @Column('boolean') shadow!: boolean;
  @Column('uuid') batch!: string;
  @Column('int') attempts!: number;
  @Column('text', { nullable: true }) outcome!: MonitorOutcome | null;
  @Column('text', { nullable: true }) failure_class!: string | null;
  @Column('text', { nullable: true }) error_message!: string | null;
  @Column('json', { nullable: true }) resolution_trace!: unknown;
  @Column('json', { nullable: true }) runner_output!: unknown;
  @Column('int', { nullable: true }) runner_duration_ms!: number | null;
  @Column('double precision', { nullable: true }) cost!: number | null;
  @Column('bigint') date_created!: number;
}
