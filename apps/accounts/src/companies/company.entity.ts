import type { CompanySettings } from '@signalbox/contracts';
import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

@Entity({ schema: 'accounts', name: 'companies' })
@Unique('companies_company_id_id_key', ['company_id', 'id'])
export class CompanyRow {
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column({ type: 'int', nullable: true, insert: false, update: false, generatedType: 'STORED', asExpression: 'id' })
  company_id!: number;
  @Column('text') name!: string;
  @Column('jsonb') settings!: Partial<CompanySettings>;
  @Column('text', { array: true }) egress_allow!: string[];
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
