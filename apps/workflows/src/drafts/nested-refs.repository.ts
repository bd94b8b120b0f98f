import { Injectable } from '@nestjs/common';
import { notFound } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { parseNestedRef } from './nested-ref.js';
import { KNOWN_WORKFLOWS, PARENTS_OF } from './nested-refs.sql.js';

@Injectable()
export class NestedRefs {
  constructor(private readonly db: Database) {}

  /** Throws 404 that names each entry whose workflow, version or release does not exist. */
  async require(companyId: number, refs: readonly string[]): Promise<void> {
    const known = await this.known(companyId, refs);
    const unknown = refs.flatMap((ref, at) => (known.has(ref) ? [] : [{ ref, at }]));
    if (unknown.length === 0) return;
    const details = unknown.map(({ ref, at }) => ({
      field: `inproc_nested_refs[${at}]`,
      message: `names workflow ${ref}, which does not exist`,
    }));
    throw notFound('workflow', { details });
  }

  async known(companyId: number, refs: readonly string[]): Promise<ReadonlySet<string>> {
    if (refs.length === 0) return new Set();
    const parsed = refs.map(parseNestedRef);
    const pins = parsed.map(({ pin }) => (pin === null ? null : 'version' in pin ? pin.version : pin.release));
    const rows = await this.db.select<{ known: boolean }>(companyId, KNOWN_WORKFLOWS, [
      parsed.map(({ ref }) => ref),
      pins,
    ]);
    return new Set(refs.filter((_, at) => rows[at]?.known));
  }

  /** Workflows whose drafts name this one as a child. */
  async parentsOf(companyId: number, workflowId: number): Promise<{ id: number; workflow_ref_name: string }[]> {
    return this.db.select(companyId, PARENTS_OF, [workflowId]);
  }
}
