import { tags } from '@signalbox/contracts';
import type { Case } from './case.js';
import type { ConformanceFixtures } from './fixtures.js';

const newTag = (fixtures: ConformanceFixtures) =>
  fixtures.call(tags.endpoints.createTag, { tag_name: fixtures.fresh('tag') });
const tag: Case = async (fixtures) => ({ tag_id: await fixtures.idOf(fixtures.once('tag', () => newTag(fixtures))) });
const request: Case = async (fixtures) => ({ request_id: (await fixtures.request()).request_id });
const tagged: Case = async (fixtures) => {
  const input = { ...(await request(fixtures)), tag_id: await fixtures.idOf(newTag(fixtures)) };
  await fixtures.call(tags.endpoints.addRequestTag, input);
  return input;
};

/** Valid inputs for tags. */
export const TAG_CASES: Readonly<Record<string, Case>> = {
  'tags.listTags': () => ({ limit: 2 }),
  'tags.createTag': (fixtures) => ({ tag_name: fixtures.fresh('tag'), color: '#00aa55', description: 'late orders' }),
  'tags.getTag': tag,
  'tags.updateTag': async (fixtures) => ({ ...(await tag(fixtures)), color: null }),
  'tags.deleteTag': async (fixtures) => ({ tag_id: await fixtures.idOf(newTag(fixtures)) }),
  'tags.listTagRequests': tag,
  'tags.listRequestTags': request,
  'tags.addRequestTag': async (fixtures) => ({ ...(await request(fixtures)), ...(await tag(fixtures)) }),
  'tags.removeRequestTag': tagged,
};
