import {
  applications,
  type Caller,
  type InputOf,
  type ListQuery,
  type Workflow,
  workflows,
  workflowVersions,
} from '@signalbox/contracts';
import { auditsAbout, eventsAbout, type Platform } from '@signalbox/testing';

/** A list query as the gateway fills it in. */
export const PAGE: ListQuery = { offset: 0, limit: 25, sort: '-id' };
/** A script that returns its input. */
export const ECHO = 'async function execute(ctx) {\n  return ctx.input;\n}\n';

/** The fields of a new workflow. */
export type NewWorkflow = InputOf<typeof workflows.endpoints.createWorkflow>;

/** A company with an application, and short ways to what a test starts from. */
export class World {
  private names = 0;

  private constructor(
    readonly platform: Platform,
    readonly companyId: number,
    readonly applicationId: number,
  ) {}

  static async make(platform: Platform): Promise<World> {
    const { companyId } = await platform.company();
    const application = await platform.bus.call(
      applications.endpoints.createApplication,
      { application_name: 'Shop', state: 'ENABLED', meta: {} },
      platform.caller(companyId),
    );
    return new World(platform, companyId, application.id);
  }

  /** A caller of the company with all scopes. */
  caller(change: Partial<Caller> = {}): Caller {
    return this.platform.caller(this.companyId, change);
  }

  body(change: Partial<NewWorkflow> = {}): NewWorkflow {
    return {
      workflow_ref_name: `flow-${++this.names}`,
      description: '',
      language: 'javascript',
      script: ECHO,
      execution_mode: 'sync',
      allow_inproc_nesting: false,
      inproc_nested_refs: [],
      timeout_seconds: 120,
      memory_mb: 64,
      status: 'ENABLED',
      meta: {},
      ...change,
    };
  }

  workflow(change: Partial<NewWorkflow> = {}): Promise<Workflow> {
    return this.platform.bus.call(workflows.endpoints.createWorkflow, this.body(change), this.caller());
  }

  change(
    workflow_id: number,
    change: Omit<InputOf<typeof workflows.endpoints.updateWorkflow>, 'workflow_id'>,
  ): Promise<Workflow> {
    return this.platform.bus.call(workflows.endpoints.updateWorkflow, { workflow_id, ...change }, this.caller());
  }

  get(workflow_id: number, include_script = false): Promise<Workflow> {
    return this.platform.bus.call(workflows.endpoints.getWorkflow, { workflow_id, include_script }, this.caller());
  }

  publish(workflow_id: number, bump_type: 'major' | 'minor' | 'patch' = 'minor') {
    const body = { workflow_id, bump_type, version_notes: '' };
    return this.platform.bus.call(workflowVersions.endpoints.publishVersion, body, this.caller());
  }

  release(workflow_id: number, name: string, version: string, is_default = false) {
    const body = { workflow_id, name, version, is_default };
    return this.platform.bus.call(workflowVersions.endpoints.createRelease, body, this.caller());
  }

  /** Names of the events about one workflow, in the order of the outbox. */
  async events(id: number): Promise<string[]> {
    return (await eventsAbout(this, 'workflows', 'workflow', id)).map(({ event }) => event);
  }

  /** Audit actions about one workflow, in the order of the outbox. */
  async audits(id: number): Promise<string[]> {
    return (await auditsAbout(this, 'workflows', 'workflow', id)).map(({ action }) => action);
  }
}
