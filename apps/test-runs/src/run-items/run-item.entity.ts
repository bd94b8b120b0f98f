import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'test-runs', name: 'run_items' })
@Index('run_items_lane', { synchronize: false })
@Index('run_items_of_run', ['run_id', 'position'])
@Index('run_items_status', ['run_id', 'status', 'position'])
export class RunItemRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('uuid') run_id!: string;
  @Column('int') test_set_item_id!: number;
  @Column('int') position!: number;
  @Column('text') status!: string;
  @Column('text', { nullable: true }) failure_class!: string | null;
  @Column('text', { nullable: true }) error_code!: string | null;
  @Column('text', { nullable: true }) error_message!: string | null;
  @Column('json', { nullable: true }) adapted_input!: unknown;
  @Column('json', { nullable: true }) baseline!: unknown;
  @Column('boolean', { nullable: true }) matched!: boolean | null;
  @Column('double precision', { nullable: true }) agreement!: number | null;
  @Column('int', { nullable: true }) score_id!: number | null;
  @Column('int') attempts!: number;
  /** The slot in which the item is RUNNING; the released schema has this column name. */
  @Column('int', { nullable: true }) lane!: number | null;
  @Column('uuid', { nullable: true }) call_id!: string | null;
  @Column('int') losses!: number;
  @Column('bigint', { nullable: true }) started_at!: number | null;
  @Column('bigint', { nullable: true }) completed_at!: number | null;
  @Column('bigint', { nullable: true }) scored_at!: number | null;
  @Column('bigint') date_updated!: number;
  @Column('text', { nullable: true }) source_md5!: string | null;
  @Column('bigint') date_created!: number;
}

@Entity({ schema: 'test-runs', name: 'run_attempts' })
@Index('run_attempts_current', { synchronize: false })
@Index('run_attempts_of_item', ['company_id', 'run_item_id', 'attempt'], { unique: true })
@Index('run_attempts_of_run', { synchronize: false })
export class RunAttemptRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('uuid') run_id!: string;
  @Column('int') run_item_id!: number;
  @Column('int') attempt!: number;
  @Column('int') repeat!: number;
  @Column('boolean') is_current!: boolean;
  @Column('text') status!: string;
  @Column('text', { nullable: true }) failure_class!: string | null;
  @Column('text', { nullable: true }) error_code!: string | null;
  @Column('text', { nullable: true }) error_message!: string | null;
  @Column('json', { nullable: true }) actual_output!: unknown;
  @Column('json', { nullable: true }) source_ref!: unknown;
  @Column('json', { nullable: true }) usage!: unknown;
  /** For scores of earlier releases, which have no verdicts of repeats. */
  @Column('boolean', { nullable: true }) matched!: boolean | null;
  @Column('int') duration_ms!: number;
  @Column('bigint') started_at!: number;
  @Column('bigint') completed_at!: number;
  @Column('bigint') date_created!: number;
}

@Entity({ schema: 'test-runs', name: 'run_scores' })
@Index('run_scores_of_item', ['company_id', 'run_item_id', 'id'])
@Index('run_scores_of_run', ['run_id'])
export class RunScoreRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('uuid') run_id!: string;
  @Column('int') run_item_id!: number;
  @Column('int') attempt!: number;
  @Column('text') expectation_source!: string;
  @Column('int', { nullable: true }) response_sub_id!: number | null;
  @Column('json', { nullable: true }) expected_output_used!: unknown;
  @Column('boolean', { nullable: true }) matched!: boolean | null;
  @Column('json', { nullable: true }) diff_result!: unknown;
  @Column('json') criteria_results!: unknown;
  @Column('boolean', { array: true }) repeats_matched!: (boolean | null)[];
  @Column('json', { nullable: true }) repeats_results!: unknown;
  @Column('int', { nullable: true }) scoring_id!: number | null;
  @Column('text', { nullable: true }) judged_sha256!: string | null;
  /** Of the `meta` that a script has seen; null for scores by other criteria, and of an earlier release. */
  @Column('text', { nullable: true }) meta_md5!: string | null;
  @Column('text', { nullable: true }) failure_class!: string | null;
  @Column('bigint') scored_at!: number;
  @Column('bigint') date_created!: number;
}
