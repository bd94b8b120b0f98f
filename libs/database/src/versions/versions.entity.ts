import { Column, type ColumnType, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { TenantRow } from '../resource.js';

abstract class TenantColumns implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}

/** `derived` are the types of the nullable columns that a family adds to its versions. */
export function versionEntities(
  prefix: string,
  parentColumn: string,
  derived: Readonly<Record<string, ColumnType>> = {},
): (new () => TenantRow)[] {
  @Entity({ name: `${prefix}_versions` })
  @Unique(`${prefix}_versions_company_id_${parentColumn}_version_number_key`, [
    'company_id',
    'parent_id',
    'version_number',
  ])
  @Index(`${prefix}_versions_latest`, { synchronize: false })
  class PublishedVersionRow extends TenantColumns {
    @Column('int', { name: parentColumn }) parent_id!: number;
    @Column('text') version_number!: string;
    @Column('boolean') is_latest!: boolean;
    @Column('text') version_notes!: string;
    @Column('jsonb') snapshot!: unknown;
  }
  for (const [name, type] of Object.entries(derived))
    Column({ type, nullable: true })(PublishedVersionRow.prototype, name);

  @Entity({ name: `${prefix}_releases` })
  @Index(`${prefix}_releases_default`, { synchronize: false })
  @Index(`${prefix}_releases_deleted_gates`, { synchronize: false })
  @Index(`${prefix}_releases_mcp`, { synchronize: false })
  @Index(`${prefix}_releases_name`, { synchronize: false })
  class ReleaseRow extends TenantColumns {
    @Column('int', { name: parentColumn }) parent_id!: number;
    @Column('text') name!: string;
    @Column('int') version_id!: number;
    @Column('boolean') is_default!: boolean;
    @Column('jsonb', { nullable: true }) gate_policy!: unknown;
    @Column('boolean') mcp_enabled!: boolean;
    @Column('bigint') moved_at!: number;
    @Column('int', { nullable: true }) moved_by_key_id!: number | null;
  }

  @Entity({ name: `${prefix}_release_moves` })
  @Index(`${prefix}_release_moves_of`, ['company_id', 'parent_id', 'release_name', 'id'])
  @Index(`${prefix}_release_moves_of_release`, ['company_id', 'release_id', 'id'])
  class ReleaseMoveRow extends TenantColumns {
    @Column('int', { name: parentColumn }) parent_id!: number;
    @Column('int', { nullable: true }) release_id!: number | null;
    @Column('text') release_name!: string;
    @Column('text', { nullable: true }) from_version!: string | null;
    @Column('text') to_version!: string;
    @Column('jsonb', { nullable: true }) gate_result!: unknown;
    @Column('text', { nullable: true }) override_reason!: string | null;
    @Column('int', { nullable: true }) key_id!: number | null;
  }

  return [PublishedVersionRow, ReleaseRow, ReleaseMoveRow];
}
