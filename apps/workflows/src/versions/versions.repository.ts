import { Injectable } from '@nestjs/common';
import {
  emission,
  emits,
  type ReleaseMoved,
  type VersionDiff,
  type VersionPublished,
  type Workflow,
  workflowEvents,
  type WorkflowVersion,
} from '@signalbox/contracts';
import { Database, type VersionedFamily, Versions } from '@signalbox/database';
import { ScriptTexts } from '../scripts/index.js';
import { comparable, Drafts, freezeRefs, WORKFLOW_TAKEN, Workflows, type WorkflowSnapshot } from '../drafts/index.js';
import { versionView, WORKFLOW_SQL } from './versions.sql.js';

export const WORKFLOW_FAMILY = {
  ...WORKFLOW_SQL,
  published: (id: number, data: VersionPublished) => emission(workflowEvents, 'workflow.version_published', id, data),
  releaseMoved: (id: number, data: ReleaseMoved) => emission(workflowEvents, 'workflow.release_moved', id, data),
};

@Injectable()
export class WorkflowVersions extends Versions<WorkflowSnapshot, WorkflowVersion, Workflow> {
  constructor(
    db: Database,
    drafts: Drafts,
    workflows: Workflows,
    private readonly texts: ScriptTexts,
  ) {
    const family: VersionedFamily<WorkflowSnapshot, Workflow> = {
      ...WORKFLOW_FAMILY,
      versionView,
      freeze: async (tx, workflowId) => {
        const draft = await drafts.freeze(tx, workflowId);
        return freezeRefs(draft, await drafts.latestOf(tx, draft.inproc_nested_refs));
      },
      recordPublished: (tx, workflowId) => drafts.published(tx, workflowId),
      draft: (companyId, workflowId) => drafts.find(companyId, workflowId),
      restore: (tx, workflowId, { frozen_refs: _frozen, ...fields }) =>
        workflows.changeIn(tx, workflowId, () => ({ set: fields, events: [emits('workflow.updated')] })),
      uniqueViolations: WORKFLOW_TAKEN,
      comparable,
    };
    super(db, family);
  }

  /** Scripts are compared as texts. */
  override async diff(companyId: number, parentId: number, from: string, to: string): Promise<VersionDiff> {
    const diff = await super.diff(companyId, parentId, from, to);
    const { script_key, script_sha256: _hash, ...changes } = diff.changes;
    if (!script_key) return diff;
    const [before, after] = await Promise.all(
      [script_key.from, script_key.to].map((key) => this.texts.get(String(key))),
    );
    return { ...diff, changes: { ...changes, script: { from: before, to: after } } };
  }
}
