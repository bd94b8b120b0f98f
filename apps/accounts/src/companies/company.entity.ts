import type { CompanySettings } from '@signalbox/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A tenant. */
@Entity({ schema: 'accounts', name: 'companies' })
export class CompanyRow {
  @PrimaryColumn('int') id!: number;
  @Column({ type: 'int', insert: false, update: false }) company_id!: number;
  @Column('text') name!: string;
  @Column('jsonb') settings!: Partial<CompanySettings>;
  @Column('text', { array: true }) egress_allow!: string[];
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
