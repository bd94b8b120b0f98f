import { requests, tags } from '@signalbox/contracts';
import { Places } from './traffic-client.js';
import { LIST, refusal, startTraffic, type Traffic, withModel } from './traffic.js';

let traffic: Traffic;
beforeAll(async () => {
  traffic = await startTraffic();
}, 90_000);
afterAll(() => traffic.stop());
beforeEach(() => traffic.world.answerWith(() => 'fine'));

const { endpoints: t } = tags;
const { endpoints: r } = requests;
const LISTED = { ...LIST, include_body: false };

async function company() {
  const { companyId } = await withModel(traffic);
  const places = new Places(traffic, companyId);
  const { bus } = places;
  return {
    places,
    companyId,
    tag: (tag_name: string) => bus.call(t.createTag, { tag_name }, places.caller()),
    add: (request_id: string, tag_id: number) => bus.call(t.addRequestTag, { request_id, tag_id }, places.caller()),
    requests: async (filter = {}) => (await bus.call(r.listRequests, { ...LISTED, ...filter }, places.caller())).data,
    get: (tag_id: number) => bus.call(t.getTag, { tag_id }, places.caller()),
  };
}

describe('tags', () => {
  it('have unique names, and fields that can be changed', async () => {
    const { places, tag } = await company();
    const made = await tag('urgent');
    expect(made).toMatchObject({ tag_name: 'urgent', color: null, description: null, request_count: 0 });
    expect(await refusal(tag('urgent'))).toMatchObject({ status: 409 });
    const change = { tag_id: made.id, tag_name: 'late', color: '#00aa55' };
    expect(await places.bus.call(t.updateTag, change, places.caller())).toMatchObject({
      tag_name: 'late',
      color: '#00aa55',
    });
    expect((await places.events('tag')).map(({ event }) => event)).toEqual(['tag.created', 'tag.updated']);
  });

  it('are on a request once, are counted, and narrow lists down', async () => {
    const { places, tag, add, requests, get } = await company();
    await places.complete({ model: 'm' });
    await places.complete({ model: 'm' });
    const [newest, oldest] = await requests();
    const [one, two] = [await tag('b'), await tag('a')];
    await add(newest!.request_id, one.id);
    await add(newest!.request_id, two.id);
    expect(await add(newest!.request_id, two.id)).toEqual([
      { id: two.id, tag_name: 'a' },
      { id: one.id, tag_name: 'b' },
    ]);
    await add(oldest!.request_id, one.id);
    expect(await get(one.id)).toMatchObject({ request_count: 2 });
    expect((await requests({ tag_ids: [two.id] })).map(({ request_id, tags }) => [request_id, tags.length])).toEqual([
      [newest!.request_id, 2],
    ]);
    expect(await requests({ tag_ids: [one.id, two.id] })).toHaveLength(2);
    const ofTag = await places.bus.call(t.listTagRequests, { ...LIST, tag_id: one.id }, places.caller());
    expect(ofTag.pagination.total).toBe(2);
  });

  it('are removed from one request, or with their assignments', async () => {
    const { places, tag, add, requests } = await company();
    await places.complete({ model: 'm' });
    const [{ request_id } = { request_id: '' }] = await requests();
    const [one, two] = [await tag('one'), await tag('two')];
    await add(request_id, one.id);
    await add(request_id, two.id);
    const remove = () => places.bus.call(t.removeRequestTag, { request_id, tag_id: one.id }, places.caller());
    expect(await remove()).toEqual({ id: one.id, deleted: true });
    expect(await refusal(remove())).toMatchObject({ status: 404 });
    await places.bus.call(t.deleteTag, { tag_id: two.id }, places.caller());
    expect(await places.bus.call(t.listRequestTags, { request_id }, places.caller())).toEqual([]);
    expect(await refusal(add(request_id, two.id))).toMatchObject({ status: 404 });
  });

  it('of another company are unknown, and so are its requests', async () => {
    const [here, there] = [await company(), await company()];
    await here.places.complete({ model: 'm' });
    const [request] = await here.requests();
    const [own, foreign] = [await here.tag('x'), await there.tag('x')];
    expect(await refusal(here.add(request!.request_id, foreign.id))).toMatchObject({ status: 404 });
    expect(await refusal(there.add(request!.request_id, foreign.id))).toMatchObject({ status: 404 });
    expect(await here.requests({ tag_ids: [foreign.id] })).toEqual([]);
    expect(await here.add(request!.request_id, own.id)).toHaveLength(1);
  });
});
