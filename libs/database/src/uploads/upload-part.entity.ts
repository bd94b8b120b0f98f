import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ name: 'upload_parts' })
@Index('upload_parts_created', ['date_created'])
export class UploadPartRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('uuid') upload_id!: string;
  @PrimaryColumn('int') part!: number;
  @Column('text') content!: string;
  @Column('bigint') date_created!: number;
}
