import { defineContract } from '../../contract.js';
import { list, page } from '../../contract/outputs.js';
import { Count, Epoch, Id, join, Matching, Name, Nullable, Optional, partial, pick, Str } from '../../fields/fields.js';
import { Deleted, ListQuery } from '../../shapes.js';
import { RecordedRequest, RequestTag } from '../chat/recorded-requests.js';
import { RequestPath } from '../paths.js';

const Color = (): PropertyDecorator => Matching(/^#[0-9a-fA-F]{6}$/, 'a color such as #00aa55');

/** A label of recorded requests (docs/api/events.md). */
export class Tag {
  @Id() id!: number;
  @Name() tag_name!: string;
  @Color() @Nullable() color!: string | null;
  @Str(0, 2000) @Nullable() description!: string | null;
  @Count() request_count!: number;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}
class TagBody {
  @Name() tag_name!: string;
  @Color() @Nullable() @Optional() color?: string | null;
  @Str(0, 2000) @Nullable() @Optional() description?: string | null;
}
class TagPath {
  @Id() tag_id!: number;
}
class OfTag extends ListQuery {
  @Id() tag_id!: number;
}
class RequestTagPath extends RequestPath {
  @Id() tag_id!: number;
}

const one = '/tags/{tag_id}' as const;
const ofRequest = '/requests/{request_id}/tags' as const;

/** Tags and their assignments to requests (docs/api/events.md, docs/api/traffic.md). */
export const tags = defineContract(
  { name: 'tags', service: 'traffic', tag: 'Tags', readsAfter: 'completions' },
  {
    listTags: { get: '/tags', summary: 'List the tags', input: ListQuery, output: page(Tag) },
    createTag: { post: '/tags', summary: 'Create a tag', errors: ['conflict'], input: TagBody, output: Tag },
    getTag: { get: one, summary: 'Get a tag', input: TagPath, output: Tag, delivery: { batchable: 'tag_id' } },
    updateTag: {
      put: one,
      summary: 'Change a tag',
      errors: ['conflict'],
      input: join(TagPath, partial(pick(TagBody, 'tag_name', 'color', 'description'))),
      output: Tag,
    },
    deleteTag: {
      delete: one,
      summary: 'Delete a tag with its assignments and rules',
      input: TagPath,
      output: Deleted,
    },
    listTagRequests: {
      get: `${one}/requests`,
      summary: 'List the requests that have a tag',
      input: OfTag,
      output: page(RecordedRequest),
    },
    listRequestTags: {
      get: ofRequest,
      summary: 'List the tags of a request',
      input: RequestPath,
      output: list(RequestTag),
    },
    addRequestTag: {
      post: ofRequest,
      summary: 'Add a tag to a request; a second time changes nothing',
      input: RequestTagPath,
      output: list(RequestTag),
    },
    removeRequestTag: {
      delete: `${ofRequest}/{tag_id}`,
      summary: 'Remove a tag from a request',
      input: RequestTagPath,
      output: Deleted,
    },
  },
);
