import type { MonitorOutcome } from '@signalbox/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The judged runs of one combination and their sums. */
abstract class CountedColumns {
  @Column('bigint') runs!: number;
  @Column('bigint') timed!: number;
  @Column('bigint') duration_ms!: number;
  @Column('bigint') priced!: number;
  @Column('numeric') cost!: string;
}

/** By how much a statement has changed the counts of an hour (UTC); the counts lack it until it is folded into them. */
@Entity({ schema: 'monitors', name: 'monitor_run_count_changes' })
export class MonitorRunCountChangeRow extends CountedColumns {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('bigint', { generated: 'identity' }) id!: number;
  @Column('bigint') starts!: number;
  @Column('int') monitor_id!: number;
  @Column('int') monitor_target_id!: number;
  @Column('text') version_number!: string;
  @Column('boolean') shadow!: boolean;
  @Column('text') outcome!: MonitorOutcome;
}

/** The runs of an hour or a day (UTC). */
@Entity({ schema: 'monitors', name: 'monitor_run_counts' })
@Index('monitor_run_counts_empty', { synchronize: false })
export class MonitorRunCountRow extends CountedColumns {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('text') unit!: string;
  @PrimaryColumn('int') monitor_id!: number;
  @PrimaryColumn('bigint') starts!: number;
  @PrimaryColumn('int') monitor_target_id!: number;
  @PrimaryColumn('text') version_number!: string;
  @PrimaryColumn('boolean') shadow!: boolean;
  @PrimaryColumn('text') outcome!: MonitorOutcome;
}
