import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Only the hash of its key is stored. */
@Entity({ schema: 'agents', name: 'task_hooks' })
@Index('task_hooks_answer', { synchronize: false })
@Index('task_hooks_hash', ['hook_hash'])
@Index('task_hooks_held', { synchronize: false })
@Index('task_hooks_of_step', ['company_id', 'task_id', 'step_no'])
export class TaskHookRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('text') hook_hash!: string;
  @Column('uuid') task_id!: string;
  @Column('int') step_no!: number;
  @Column('text') work_kind!: string;
  @Column('bigint') expires_at!: number;
  @Column('bigint', { nullable: true }) answered_at!: number | null;
  @Column('text', { nullable: true }) payload!: string | null;
  @Column('boolean') sealed!: boolean;
  @Column('timestamptz', { nullable: true }) released_at!: Date | null;
}
