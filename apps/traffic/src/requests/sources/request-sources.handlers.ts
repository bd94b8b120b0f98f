import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, requestSources } from '@signalbox/contracts';
import { Applications } from '../../applications/index.js';
import { IntentGroups } from '../../intent-groups/index.js';
import { conditionsOf } from '../../request-records/index.js';
import { RequestReader } from '../../request-reads/index.js';
import { RequestSources } from './request-sources.repository.js';

type C = typeof requestSources;

@Serves(requestSources)
export class RequestSourceHandlers implements Handlers<C> {
  constructor(
    private readonly sources: RequestSources,
    private readonly requests: RequestReader,
    private readonly groups: IntentGroups,
    private readonly applications: Applications,
  ) {}

  async requireTrainingScope({ input, caller: { companyId } }: CallTo<C, 'requireTrainingScope'>) {
    await this.groups.get(companyId, input.intent_group_id);
    if (input.application_id !== null) await this.applications.require(companyId, input.application_id);
    return { exists: true };
  }

  readTrainingSources({ input, caller }: CallTo<C, 'readTrainingSources'>) {
    return this.sources.read(caller.companyId, input.request_ids);
  }

  selectRequests({ input: { before, limit, ...filter }, caller }: CallTo<C, 'selectRequests'>) {
    return this.sources.select(caller.companyId, filter, { before, limit });
  }

  searchRequestsExcept({ input: { except, ...query }, caller }: CallTo<C, 'searchRequestsExcept'>) {
    return this.requests.list(caller.companyId, { ...query, filters: conditionsOf({ ...query, except }) }, false);
  }

  async selectTagged({ input, caller }: CallTo<C, 'selectTagged'>) {
    return { request_ids: await this.sources.tagged(caller.companyId, input.tag_ids, input.request_ids) };
  }
}
