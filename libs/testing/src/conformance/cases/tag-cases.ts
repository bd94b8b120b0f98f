import { tagRules, tagRuns, tags } from '@signalbox/contracts';
import type { Case } from './case.js';
import type { ConformanceFixtures } from '../fixtures.js';

const newTag = (fixtures: ConformanceFixtures) =>
  fixtures.call(tags.endpoints.createTag, { tag_name: fixtures.fresh('tag') });
const tag: Case = async (fixtures) => ({ tag_id: await fixtures.idOf(fixtures.once('tag', () => newTag(fixtures))) });
const request: Case = async (fixtures) => ({ request_id: (await fixtures.request()).request_id });
const tagged: Case = async (fixtures) => {
  const input = { ...(await request(fixtures)), tag_id: await fixtures.idOf(newTag(fixtures)) };
  await fixtures.call(tags.endpoints.addRequestTag, input);
  return input;
};

const conditions = {
  kind: 'group',
  op: 'AND',
  children: [{ kind: 'condition', source: 'text', operator: 'contains', value: 'hello' }],
};
// Not for new requests, because those of other cases have tags of their own.
const newRule = async (fixtures: ConformanceFixtures) =>
  fixtures.call(tagRules.endpoints.createTagRule, {
    rule_name: fixtures.fresh('rule'),
    ...(await tag(fixtures)),
    conditions,
    apply_to_new: false,
  });
const rule: Case = async (fixtures) => ({
  rule_id: await fixtures.idOf(fixtures.once('tagRule', () => newRule(fixtures))),
});
const run: Case = async (fixtures) => {
  const { rule_id } = await rule(fixtures);
  const create = () => fixtures.call(tagRuns.endpoints.createTagRun, { rule_ids: [rule_id] });
  return { run_id: await fixtures.idOf(fixtures.once('tagRun', create)) };
};
/** Twenty rules that call a model in sequence, so that their runs last longer than the call that cancels them. */
const slowRules = (fixtures: ConformanceFixtures) =>
  fixtures.once('slowTagRules', async () => {
    await fixtures.request();
    const create = async () =>
      fixtures.call(tagRules.endpoints.createTagRule, {
        rule_name: fixtures.fresh('rule'),
        ...(await tag(fixtures)),
        method: 'LLM',
        prompt: 'a greeting',
        apply_to_new: false,
      });
    const created = await Promise.all(Array.from({ length: 20 }, create));
    return { ids: created.map(({ id }) => id) };
  });
const openRun: Case = async (fixtures) => {
  const { ids } = await slowRules(fixtures);
  return { run_id: await fixtures.idOf(fixtures.call(tagRuns.endpoints.createTagRun, { rule_ids: ids })) };
};

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
  'tag-rules.listTagRules': async (fixtures) => ({ ...(await tag(fixtures)), enabled: true }),
  'tag-rules.createTagRule': async (fixtures) => ({
    rule_name: fixtures.fresh('rule'),
    ...(await tag(fixtures)),
    application_id: await fixtures.idOf(fixtures.application()),
    conditions,
    apply_to_new: false,
  }),
  'tag-rules.getTagRule': rule,
  'tag-rules.updateTagRule': async (fixtures) => ({ ...(await rule(fixtures)), rule_name: fixtures.fresh('rule') }),
  'tag-rules.deleteTagRule': async (fixtures) => ({ rule_id: await fixtures.idOf(newRule(fixtures)) }),
  'tag-rules.enableTagRule': rule,
  'tag-rules.disableTagRule': rule,
  'tag-rules.previewTagRule': async (fixtures) => ({ ...(await rule(fixtures)), ...(await request(fixtures)) }),
  'tag-runs.listTagRuns': () => ({ status: 'COMPLETED' }),
  'tag-runs.createTagRun': async (fixtures) => ({ rule_ids: [(await rule(fixtures)).rule_id] }),
  'tag-runs.getTagRun': run,
  'tag-runs.cancelTagRun': openRun,
};
