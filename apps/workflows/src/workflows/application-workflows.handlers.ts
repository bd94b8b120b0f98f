import { BusClient, Serves } from '@signalbox/bus';
import { applications, applicationWorkflows, type Caller, type CallTo, type Handlers } from '@signalbox/contracts';
import { runFilters, RunReader } from '../runs/index.js';
import { Workflows } from '../drafts/index.js';

type C = typeof applicationWorkflows;

@Serves(applicationWorkflows)
export class ApplicationWorkflowHandlers implements Handlers<C> {
  constructor(
    private readonly workflows: Workflows,
    private readonly runs: RunReader,
    private readonly bus: BusClient,
  ) {}

  async listApplicationWorkflows({ input, caller }: CallTo<C, 'listApplicationWorkflows'>) {
    await this.requireApplication(input.application_id, caller);
    return this.workflows.listBy(caller.companyId, input);
  }

  /** Runs of workflows that were bound to the application at their acceptance. */
  async listApplicationWorkflowRuns({ input, caller }: CallTo<C, 'listApplicationWorkflowRuns'>) {
    const { application_id, status, start_date, end_date } = input;
    await this.requireApplication(application_id, caller);
    const filters = runFilters({ application_id, status, start_date, end_date });
    return this.runs.list(caller.companyId, { ...input, filters }, false);
  }

  private async requireApplication(application_id: number, caller: Caller): Promise<void> {
    await this.bus.call(applications.endpoints.getApplication, { application_id }, caller);
  }
}
