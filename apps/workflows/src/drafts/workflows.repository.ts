import { Injectable } from '@nestjs/common';
import { emits, type JsonText, notFound, type Workflow, type WorkflowSummary } from '@signalbox/contracts';
import { ApplicationNames, CompanyRepository, Database, type Owner, type Tx } from '@signalbox/database';
import { Drafts } from './drafts.repository.js';
import { WorkflowRow } from './workflow.entity.js';
import { IDS_BY_REF_NAME, view } from './workflows.sql.js';

/** Messages of 409 by unique index. */
export const WORKFLOW_TAKEN = { workflows_ref_name: 'workflow_ref_name is taken' };

@Injectable()
export class Workflows extends CompanyRepository<WorkflowRow, Workflow, WorkflowSummary> {
  readonly applications = new ApplicationNames('workflows');

  constructor(
    db: Database,
    private readonly drafts: Drafts,
  ) {
    super(db, { entity: WorkflowRow, view, type: 'workflow', uniqueViolations: WORKFLOW_TAKEN });
  }

  protected override written(tx: Tx, id: number): Promise<void> {
    return this.drafts.recomputeHash(tx, id);
  }

  async findId(companyId: number, refName: string): Promise<number | null> {
    return (await this.idsOf(companyId, [refName])).get(refName) ?? null;
  }

  async idsOf(companyId: number, refNames: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.db.select<{ id: number; name: string }>(companyId, IDS_BY_REF_NAME, [refNames]);
    return new Map(rows.map(({ name, id }) => [name, id]));
  }

  /** Throws 404. */
  async getByRef(companyId: number, refName: string): Promise<JsonText<Workflow>> {
    const id = await this.findId(companyId, refName);
    if (id === null) throw notFound('workflow');
    return this.get(companyId, id);
  }

  /**
   * Unbinds the workflows of a deleted application, to which none can be bound afterwards, in transactions that each
   * lock few rows. Returns their number.
   */
  async unbind(owner: Owner, applicationId: number): Promise<number> {
    await this.db.withCompany(owner, (tx) => this.applications.remove(tx, applicationId));
    const free = () => ({ set: { application_id: null }, events: [emits('workflow.updated')] });
    return this.changeEach(owner, { sql: 't.application_id = ?', value: applicationId }, free);
  }
}
