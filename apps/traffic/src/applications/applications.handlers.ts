import { Inject } from '@nestjs/common';
import { BusClient, Serves } from '@signalbox/bus';
import {
  agentLinks,
  agents,
  type AgentSummary,
  ApiError,
  applications,
  type Batch,
  type Caller,
  type CallTo,
  conflict,
  type Handlers,
  JsonText,
  type Page,
  workflowLinks,
  workflows,
} from '@signalbox/contracts';
import { LOGGER, type Logger } from '@signalbox/platform';
import { CallTargetChanges } from '../call-target-changes/index.js';
import { Configs, type ConfigTarget } from '../config/index.js';
import { Models, usedBy } from '../models/index.js';
import { RecordedSessions, sessionFiltersOf } from '../session-history/index.js';

import type { ApplicationRow } from './application.entity.js';
import { newApplication, updateApplication } from './application.js';
import { Applications } from './applications.repository.js';

type C = typeof applications;

/** Counts include the calls that were answered before the read. */
@Serves(applications)
export class ApplicationHandlers implements Handlers<C> {
  constructor(
    private readonly applications: Applications,
    private readonly configs: Configs,
    private readonly models: Models,
    private readonly sessions: RecordedSessions,
    private readonly changes: CallTargetChanges,
    private readonly bus: BusClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async listApplications({ input, caller }: CallTo<C, 'listApplications'>) {
    return this.applications.listBy(caller.companyId, input);
  }

  async createApplication({ input, caller }: CallTo<C, 'createApplication'>) {
    await this.configs.ready(caller, input.config ?? {});
    return this.applications.add(caller, newApplication(input));
  }

  async getApplication({ keys }: Batch) {
    return this.applications.read(keys);
  }

  async updateApplication({ input: { application_id, ...change }, caller }: CallTo<C, 'updateApplication'>) {
    const reply = await this.applications.change(caller, application_id, () => updateApplication(change));
    this.changes.changed(caller.companyId);
    return reply;
  }

  /**
   * One transaction deletes; its event unbinds agents and workflows, even when this process dies. With `force` their
   * services are called at once as well, so that readers see the change.
   */
  async deleteApplication({ input: { application_id, force = false }, caller }: CallTo<C, 'deleteApplication'>) {
    if (!force) await this.requireUnbound(application_id, caller);
    const reply = await this.applications.drop(caller, application_id);
    this.changes.changed(caller.companyId);
    if (force) await this.unbind(application_id, caller);
    return reply;
  }

  getApplicationConfig({ input, caller }: CallTo<C, 'getApplicationConfig'>) {
    return this.configs.view(caller.companyId, 'application', input.application_id);
  }

  updateApplicationConfig({ input: { application_id, ...change }, caller }: CallTo<C, 'updateApplicationConfig'>) {
    return this.configs.change(caller, this.place(application_id), change);
  }

  resetApplicationConfig({ input, caller }: CallTo<C, 'resetApplicationConfig'>) {
    return this.configs.reset(caller, this.place(input.application_id));
  }

  async listApplicationModels({ input, caller }: CallTo<C, 'listApplicationModels'>) {
    await this.applications.require(caller.companyId, input.application_id);
    const filters = [usedBy('application_id', input.application_id)];
    return this.models.list(caller.companyId, { ...input, filters });
  }

  async listApplicationSessions({ input, caller }: CallTo<C, 'listApplicationSessions'>) {
    await this.applications.require(caller.companyId, input.application_id);
    return this.sessions.list(caller.companyId, { ...input, filters: sessionFiltersOf(input) });
  }

  async listApplicationAgents({ input, caller }: CallTo<C, 'listApplicationAgents'>) {
    await this.applications.require(caller.companyId, input.application_id);
    const { body } = await this.bus.forward(agents.endpoints.listAgents, input, caller);
    return new JsonText<Page<AgentSummary>>(Buffer.from(body).toString());
  }

  private place(id: number): ConfigTarget<ApplicationRow> {
    return { what: 'application', id, rows: this.applications };
  }

  private async requireUnbound(application_id: number, caller: Caller): Promise<void> {
    await this.applications.require(caller.companyId, application_id);
    const input = { application_id, offset: 0, limit: 1, sort: 'id' };
    const agentPage = await this.bus.call(agents.endpoints.listAgents, input, caller);
    const workflowPage = await this.bus.call(workflows.endpoints.listWorkflows, input, caller);
    const bound = [
      { count: agentPage.pagination.total, noun: 'agents' },
      { count: workflowPage.pagination.total, noun: 'workflows' },
    ].filter(({ count }) => count > 0);
    if (bound.length === 0) return;
    const counts = bound.map(({ count, noun }) => `${count} ${noun}`).join(' and ');
    throw conflict(`application ${application_id} has ${counts}`);
  }

  private async unbind(application_id: number, caller: Caller): Promise<void> {
    for (const { unbindApplication } of [agentLinks.endpoints, workflowLinks.endpoints])
      try {
        await this.bus.call(unbindApplication, { application_id }, caller);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        this.logger.warn(
          { error, company_id: caller.companyId, application_id },
          'what is bound to a deleted application will be unbound by its event',
        );
      }
  }
}
