import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'traffic', name: 'request_objects' })
@Index('request_objects_request', ['company_id', 'request_id'])
export class RequestObjectRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('text') object_key!: string;
  @PrimaryColumn('uuid') request_id!: string;
  @PrimaryColumn('text') part!: string;
  @Column('bigint') date_created!: number;
}
