import { Serves } from '@signalbox/bus';
import { applications, type Batch, type CallTo, type Handlers } from '@signalbox/contracts';
import { CallTargets } from '../chat/call-targets.js';
import { newApplication, updateApplication } from './application.js';
import { Applications } from './applications.repository.js';

type C = typeof applications;

/** Applications of a company. */
@Serves(applications)
export class ApplicationHandlers implements Handlers<C> {
  constructor(
    private readonly applications: Applications,
    private readonly targets: CallTargets,
  ) {}

  listApplications({ input, caller }: CallTo<C, 'listApplications'>) {
    const filters = input.state === undefined ? [] : [{ sql: 't.state = ?', value: input.state }];
    return this.applications.list(caller.companyId, { ...input, filters });
  }

  createApplication({ input, caller }: CallTo<C, 'createApplication'>) {
    return this.applications.create(caller, newApplication(input), [{ event: 'application.created' }]);
  }

  getApplication({ keys }: Batch) {
    return this.applications.read(keys);
  }

  async updateApplication({ input: { application_id, ...change }, caller }: CallTo<C, 'updateApplication'>) {
    const reply = await this.applications.change(caller, application_id, () => updateApplication(change));
    this.targets.changed(caller.companyId);
    return reply;
  }

  async deleteApplication({ input, caller }: CallTo<C, 'deleteApplication'>) {
    const deleted = () => ({ events: [{ event: 'application.deleted' }] });
    const reply = await this.applications.remove(caller, input.application_id, deleted);
    this.targets.changed(caller.companyId);
    return reply;
  }
}
