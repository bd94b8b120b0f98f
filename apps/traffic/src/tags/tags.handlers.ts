import { Serves } from '@signalbox/bus';
import { type Batch, type CallTo, emits, type Handlers, tags } from '@signalbox/contracts';
import { conditionsOf } from '../request-records/index.js';
import { RequestReader } from '../request-reads/index.js';
import { RequestTags } from './request-tags.repository.js';
import { newTag, updateTag } from './tag.js';
import { Tags } from './tags.repository.js';

type C = typeof tags;

@Serves(tags)
export class TagHandlers implements Handlers<C> {
  constructor(
    private readonly tags: Tags,
    private readonly requestTags: RequestTags,
    private readonly requests: RequestReader,
  ) {}

  listTags({ input, caller }: CallTo<C, 'listTags'>) {
    return this.tags.list(caller.companyId, input);
  }

  createTag({ input, caller }: CallTo<C, 'createTag'>) {
    return this.tags.create(caller, newTag(input), [emits('tag.created')]);
  }

  getTag({ keys }: Batch) {
    return this.tags.read(keys);
  }

  updateTag({ input: { tag_id, ...change }, caller }: CallTo<C, 'updateTag'>) {
    return this.tags.change(caller, tag_id, () => updateTag(change));
  }

  deleteTag({ input, caller }: CallTo<C, 'deleteTag'>) {
    return this.tags.drop(caller, input.tag_id);
  }

  async listTagRequests({ input: { tag_id, ...query }, caller }: CallTo<C, 'listTagRequests'>) {
    await this.tags.get(caller.companyId, tag_id);
    return this.requests.list(caller.companyId, { ...query, filters: conditionsOf({ tag_ids: [tag_id] }) }, false);
  }

  listRequestTags({ input, caller }: CallTo<C, 'listRequestTags'>) {
    return this.requestTags.list(caller.companyId, input.request_id);
  }

  addRequestTag({ input: { request_id, tag_id }, caller }: CallTo<C, 'addRequestTag'>) {
    return this.requestTags.add(caller, request_id, tag_id);
  }

  async removeRequestTag({ input: { request_id, tag_id }, caller }: CallTo<C, 'removeRequestTag'>) {
    await this.requestTags.remove(caller, request_id, tag_id);
    return { id: tag_id, deleted: true };
  }
}
