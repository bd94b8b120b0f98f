import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Completed, so that a resumed task does not repeat it. */
@Entity({ schema: 'agents', name: 'task_steps' })
export class TaskStepRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('uuid') task_id!: string;
  @PrimaryColumn('int') step_no!: number;
  @Column('text') kind!: string;
  @Column('text') status!: string;
  @Column('jsonb') request!: unknown;
  @Column('jsonb') result!: unknown;
  @Column('int') duration_ms!: number;
  @Column('bigint') date_created!: number;
}
