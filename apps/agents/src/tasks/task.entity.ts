import { RunColumns } from '@signalbox/runs';
import { Column, Entity, Index } from 'typeorm';

@Entity({ schema: 'agents', name: 'tasks' })
@Index('tasks_child', ['company_id', 'parent_task_id', 'parent_step'], { unique: true })
@Index('tasks_completed', { synchronize: false })
@Index('tasks_cost', { synchronize: false })
@Index('tasks_duration', { synchronize: false })
@Index('tasks_ended', { synchronize: false })
@Index('tasks_failed', { synchronize: false })
@Index('tasks_of_agent', ['company_id', 'agent_id', 'no'])
@Index('tasks_of_company', ['company_id', 'no'])
@Index('tasks_of_version', ['company_id', 'version', 'no'])
@Index('tasks_of_session', ['company_id', 'session_no', 'no'])
@Index('tasks_of_session_id', ['company_id', 'session_id', 'no'])
@Index('tasks_of_span', ['company_id', 'date_created', 'no'])
@Index('tasks_open', { synchronize: false })
@Index('tasks_open_called', { synchronize: false })
@Index('tasks_open_of_session', { synchronize: false })
@Index('tasks_status', { synchronize: false })
export class TaskRow extends RunColumns {
  @Column('int') agent_id!: number;
  @Column('uuid', { nullable: true }) parent_task_id!: string | null;
  @Column('int') session_no!: number;
  @Column('text') session_id!: string;
  @Column('text', { nullable: true }) version!: string | null;
  @Column('text', { nullable: true }) release!: string | null;
  @Column('int', { nullable: true }) application_id!: number | null;
  @Column('jsonb') snapshot!: unknown;
  @Column('jsonb') history!: unknown;
  @Column('jsonb') input_messages!: unknown;
  @Column('text', { nullable: true }) first_message!: string | null;
  @Column('jsonb', { nullable: true }) response_format!: unknown;
  @Column('int') max_iterations!: number;
  @Column('double precision', { nullable: true }) max_cost!: number | null;
  @Column('text') trigger!: string;
  /** The step whose call was begun and may not be repeated. */
  @Column('int', { nullable: true }) calling_step!: number | null;
  @Column('jsonb') metadata!: unknown;
  @Column('jsonb', { nullable: true }) output!: unknown;
  @Column('jsonb', { nullable: true }) structured_output!: unknown;
  @Column('text', { nullable: true }) model!: string | null;
  @Column('int') iterations!: number;
  @Column('bigint') prompt_tokens!: number;
  @Column('bigint') completion_tokens!: number;
  @Column('bigint') total_tokens!: number;
  @Column('double precision', { nullable: true }) cost!: number | null;
  @Column('bigint', { nullable: true }) hook_expires_at!: number | null;
  @Column('bigint', { nullable: true }) active_since!: number | null;
  @Column('int', { nullable: true }) parent_step!: number | null;
  @Column('int') depth!: number;
  @Column('uuid', { nullable: true }) root_id!: string | null;
  @Column('uuid', { nullable: true }) called_by!: string | null;
  @Column('bigint', { nullable: true }) ends_by!: number | null;
  @Column('jsonb', { nullable: true }) routing!: unknown;
  @Column('text', { nullable: true }) reported_version!: string | null;
}
