import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, workflowVersions } from '@signalbox/contracts';
import { WorkflowReleases } from './releases.repository.js';
import { WorkflowVersions } from './versions.repository.js';

type C = typeof workflowVersions;

@Serves(workflowVersions)
export class WorkflowVersionHandlers implements Handlers<C> {
  constructor(
    private readonly versions: WorkflowVersions,
    private readonly releases: WorkflowReleases,
  ) {}

  publishVersion({ input, caller }: CallTo<C, 'publishVersion'>) {
    return this.versions.publish(caller, input.workflow_id, input.bump_type, input.version_notes);
  }

  listVersions({ input, caller }: CallTo<C, 'listVersions'>) {
    return this.versions.list(caller.companyId, input.workflow_id, input);
  }

  diffVersions({ input, caller }: CallTo<C, 'diffVersions'>) {
    return this.versions.diff(caller.companyId, input.workflow_id, input.from, input.to);
  }

  getVersion({ input, caller }: CallTo<C, 'getVersion'>) {
    return this.versions.get(caller.companyId, input.workflow_id, input.version, input.include_snapshot);
  }

  restoreVersion({ input, caller }: CallTo<C, 'restoreVersion'>) {
    return this.versions.restore(caller, input.workflow_id, input.version);
  }

  listReleases({ input, caller }: CallTo<C, 'listReleases'>) {
    return this.releases.list(caller.companyId, input.workflow_id, input);
  }

  listMcpReleases({ caller }: CallTo<C, 'listMcpReleases'>) {
    return this.releases.listMcp(caller.companyId);
  }

  createRelease({ input: { workflow_id, name, ...input }, caller }: CallTo<C, 'createRelease'>) {
    return this.releases.create(caller, workflow_id, name, input);
  }

  getRelease({ input, caller }: CallTo<C, 'getRelease'>) {
    return this.releases.get(caller.companyId, input.workflow_id, input.release_name);
  }

  updateRelease({ input: { workflow_id, release_name, ...input }, caller }: CallTo<C, 'updateRelease'>) {
    return this.releases.update(caller, workflow_id, release_name, input);
  }

  deleteRelease({ input, caller }: CallTo<C, 'deleteRelease'>) {
    return this.releases.delete(caller, input.workflow_id, input.release_name);
  }

  checkRelease({ input: { workflow_id, release_name, version }, caller }: CallTo<C, 'checkRelease'>) {
    return this.releases.check(caller, workflow_id, release_name, version);
  }

  listReleaseMoves({ input: { workflow_id, release_name, ...query }, caller }: CallTo<C, 'listReleaseMoves'>) {
    return this.releases.listMoves(caller.companyId, workflow_id, release_name, query);
  }
}
