import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'agents', name: 'application_names' })
export class ApplicationNameRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int') application_id!: number;
  @Column('text') application_name!: string;
  @Column('bigint') date_updated!: number;
  @Column('boolean') deleted!: boolean;
}
