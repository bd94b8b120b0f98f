import { Column, Entity, IsNull, PrimaryColumn } from 'typeorm';

/** Epoch milliseconds in the format of this resource. */
const iso = {
  to: (value: string) => Date.parse(value),
  from: (value: string) => new Date(Number(value)).toISOString(),
};

/** A row of actions as a Nest developer maps it. */
@Entity({ schema: 'agents', name: 'actions' })
export class ActionEntity {
  @PrimaryColumn('int') id!: number;
  @Column('int', { select: false }) company_id!: number;
  @Column('int') agent_id!: number;
  @Column('text') action_name!: string;
  @Column('text') action_type!: string;
  @Column('text') description!: string;
  @Column('boolean') enabled!: boolean;
  @Column('jsonb', { nullable: true }) action_config!: object | null;
  @Column('jsonb') meta!: object;
  @Column('boolean') is_default!: boolean;
  @Column('text') action_result_type!: string;
  @Column('text') invocation_mode!: string;
  @Column('bigint', { transformer: iso }) date_created!: string;
  @Column('bigint', { nullable: true, select: false }) deleted_at!: number | null;
}

/** The condition of a row that exists in a company. */
export const existing = (companyId: number, id: number) => ({ id, company_id: companyId, deleted_at: IsNull() });

/** Subject and payload between the two processes. */
export const GET_ACTION = 'get_action';
export interface GetAction {
  company_id: number;
  id: number;
}
