import { Column, Entity, IsNull, PrimaryColumn } from 'typeorm';

const epoch = { to: (value: number) => value, from: Number };

/** A row of applications as a Nest developer maps it. */
@Entity({ schema: 'traffic', name: 'applications' })
export class ApplicationEntity {
  @PrimaryColumn('int') id!: number;
  @Column('int', { select: false }) company_id!: number;
  @Column('text') application_name!: string;
  @Column('text') application_ref_name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') state!: string;
  @Column('jsonb') meta!: object;
  @Column('bigint', { transformer: epoch }) date_created!: number;
  @Column('bigint', { transformer: epoch }) date_updated!: number;
  @Column('bigint', { nullable: true, select: false }) deleted_at!: number | null;
}

/** The condition of a row that exists in a company. */
export const existing = (companyId: number, id: number) => ({ id, company_id: companyId, deleted_at: IsNull() });

/** Subject and payload between the two processes. */
export const GET_APPLICATION = 'get_application';
export interface GetApplication {
  company_id: number;
  id: number;
}
