import { Injectable } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { parseNestedRef } from './nested-ref.js';

/** The children that workflows name. */
@Injectable()
export class NestedRefs {
  constructor(private readonly db: Database) {}

  /** 404 naming each entry whose workflow, version or release does not exist. */
  async require(companyId: number, refs: readonly string[]): Promise<void> {
    const known = await this.known(companyId, refs);
    const unknown = refs.flatMap((ref, at) => (known.has(ref) ? [] : [{ ref, at }]));
    if (unknown.length === 0) return;
    const details = unknown.map(({ ref, at }) => ({
      field: `inproc_nested_refs[${at}]`,
      message: `names workflow ${ref}, which does not exist`,
    }));
    throw new ApiError('not_found', 'workflow not found', { details });
  }

  /** The entries whose workflow, and version or release, exist. */
  async known(companyId: number, refs: readonly string[]): Promise<ReadonlySet<string>> {
    if (refs.length === 0) return new Set();
    const parsed = refs.map(parseNestedRef);
    const pins = parsed.map(({ pin }) => (pin === null ? null : 'version' in pin ? pin.version : pin.release));
    const rows = await this.db.select<{ known: boolean }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (
         SELECT EXISTS (
           SELECT 1 FROM workflows.workflows t WHERE t.company_id = s.company AND t.workflow_ref_name = n.ref
             AND t.deleted_at IS NULL AND (n.pin IS NULL
               OR EXISTS (SELECT 1 FROM workflows.workflow_versions v WHERE v.company_id = t.company_id
                 AND v.workflow_id = t.id AND (v.version_number = n.pin OR (n.pin = 'latest' AND v.is_latest)))
               OR EXISTS (SELECT 1 FROM workflows.workflow_releases l WHERE l.company_id = t.company_id
                 AND l.workflow_id = t.id AND l.name = n.pin AND l.deleted_at IS NULL))) AS known
         FROM unnest($2::text[], $3::text[]) WITH ORDINALITY n(ref, pin, at) ORDER BY n.at OFFSET 0) x`,
      [parsed.map(({ ref }) => ref), pins],
    );
    return new Set(refs.filter((_, at) => rows[at]?.known));
  }

  /** The workflows whose drafts name one as a child. */
  async parentsOf(companyId: number, workflowId: number): Promise<{ id: number; workflow_ref_name: string }[]> {
    return this.db.select(
      companyId,
      `SELECT x.* FROM s, LATERAL (
         SELECT p.id, p.workflow_ref_name FROM workflows.workflows t
         JOIN workflows.workflows p ON p.company_id = t.company_id AND p.id <> t.id AND p.deleted_at IS NULL
         WHERE t.company_id = s.company AND t.id = $2 AND EXISTS (
           SELECT 1 FROM jsonb_array_elements_text(p.inproc_nested_refs) e
           WHERE split_part(e, '@', 1) = t.workflow_ref_name)
         ORDER BY p.id LIMIT 20 OFFSET 0) x`,
      [workflowId],
    );
  }
}
