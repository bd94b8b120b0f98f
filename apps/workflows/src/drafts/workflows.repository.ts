import { Injectable } from '@nestjs/common';
import { emits, type JsonText, notFound, type Workflow, type WorkflowSummary } from '@signalbox/contracts';
import { ApplicationNames, CompanyRepository, Database, type Owner, type Tx, type View } from '@signalbox/database';
import { Drafts } from './drafts.repository.js';
import { WorkflowRow } from './workflow.entity.js';

const view: View = {
  resource: 'workflow',
  table: 'workflows.workflows',
  columns: [
    'id',
    'workflow_ref_name',
    'workflow_name',
    'description',
    'application_id',
    'language',
    'script_key',
    'script_sha256',
    'execution_mode',
    'input_schema',
    'output_schema',
    'allow_inproc_nesting',
    'inproc_nested_refs',
    'timeout_seconds',
    'memory_mb',
    'status',
    'meta',
    'date_created',
    'date_updated',
  ],
  computed: {
    application_name: `(SELECT n.application_name FROM workflows.application_names n
      WHERE n.company_id = t.company_id AND n.application_id = t.application_id)`,
    transform_enabled: 't.script_has_transform OR t.transform_session IS NOT NULL',
    latest_version_number: `(SELECT v.version_number FROM workflows.workflow_versions v
      WHERE v.company_id = t.company_id AND v.workflow_id = t.id AND v.is_latest)`,
    has_unpublished_changes: 't.draft_hash IS DISTINCT FROM t.published_hash',
  },
  detail: { transform_session: 't.transform_session' },
  search: ['t.workflow_name', 't.workflow_ref_name', 't.description'],
  sort: { workflow_name: 't.workflow_name', workflow_ref_name: 't.workflow_ref_name', status: 't.status' },
};

/** The 409s of unique names. */
export const WORKFLOW_TAKEN = { workflows_ref_name: 'workflow_ref_name is taken' };

/** Rows of workflows. */
@Injectable()
export class Workflows extends CompanyRepository<WorkflowRow, Workflow, WorkflowSummary> {
  readonly applications = new ApplicationNames('workflows');

  constructor(
    db: Database,
    private readonly drafts: Drafts,
  ) {
    super(db, { entity: WorkflowRow, view, type: 'workflow', taken: WORKFLOW_TAKEN });
  }

  protected override written(tx: Tx, id: number): Promise<void> {
    return this.drafts.recomputeHash(tx, id);
  }

  /** Id of the workflow with a reference name, null when there is none. */
  async findId(companyId: number, refName: string): Promise<number | null> {
    return (await this.idsOf(companyId, [refName])).get(refName) ?? null;
  }

  /** The ids of the workflows that exist, by reference name. */
  async idsOf(companyId: number, refNames: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.db.select<{ id: number; name: string }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id, t.workflow_ref_name AS name FROM workflows.workflows t
         WHERE t.company_id = s.company AND t.workflow_ref_name = ANY ($2::text[]) AND t.deleted_at IS NULL OFFSET 0) x`,
      [refNames],
    );
    return new Map(rows.map(({ name, id }) => [name, id]));
  }

  /** Reads a workflow by its reference name; 404 when it does not exist. */
  async getByRef(companyId: number, refName: string): Promise<JsonText<Workflow>> {
    const id = await this.findId(companyId, refName);
    if (id === null) throw notFound('workflow');
    return this.get(companyId, id);
  }

  /**
   * Unbinds the workflows of a deleted application, to which no workflow can be bound afterwards, in transactions that each
   * lock few rows; returns their number.
   */
  async unbind(owner: Owner, applicationId: number): Promise<number> {
    await this.db.withCompany(owner, (tx) => this.applications.remove(tx, applicationId));
    const free = () => ({ set: { application_id: null }, events: [emits('workflow.updated')] });
    return this.changeEach(owner, { sql: 't.application_id = ?', value: applicationId }, free);
  }
}
