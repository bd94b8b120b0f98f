import type { OnOff, Provider } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'traffic', name: 'providers' })
@Index('providers_built_in', { synchronize: false })
@Index('providers_name', { synchronize: false })
export class ProviderRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('text') provider_name!: string;
  @Column('text') kind!: Provider['kind'];
  @Column('text', { nullable: true }) base_url!: string | null;
  @Column('bytea', { nullable: true }) api_key_sealed!: Buffer | null;
  @Column('text', { nullable: true }) api_key_last4!: string | null;
  @Column('jsonb') default_headers!: Record<string, string>;
  @Column('bytea', { nullable: true }) headers_sealed!: Buffer | null;
  @Column('int') timeout_ms!: number;
  @Column('text') status!: OnOff;
  @Column('boolean') built_in!: boolean;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
