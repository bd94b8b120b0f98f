import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The name of an application of the traffic service, kept up to date by its events. */
@Entity({ schema: 'agents', name: 'application_names' })
export class ApplicationNameRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int') application_id!: number;
  @Column('text') application_name!: string;
  @Column('bigint') date_updated!: number;
  @Column('boolean') deleted!: boolean;
}
