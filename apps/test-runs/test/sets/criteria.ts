import { evaluationCriteria } from '@signalbox/contracts';
import { PAGE, World } from '../world.js';
import { platform, world } from './fixture.js';

const { endpoints } = evaluationCriteria;

describe('evaluation criteria', () => {
  it('are created with defaults, changed, disabled and deleted, each change with its event and audit entry', async () => {
    const created = await world.criterion();
    expect(created).toMatchObject({
      name: 'Exact',
      prompt: null,
      config: { case_sensitive: true, trim: true, numeric_tolerance: 0 },
      pass_threshold: 1,
      enabled: true,
    });
    const { id } = created;
    const call = world.caller();
    const changed = await platform.bus.call(
      endpoints.updateCriteria,
      { criteria_id: id, config: { trim: false }, weight: 2 },
      call,
    );
    expect(changed).toMatchObject({ weight: 2, config: { trim: false, case_sensitive: true } });
    const off = await platform.bus.call(endpoints.disableCriteria, { criteria_id: id }, world.caller());
    expect(off.enabled).toBe(false);
    // The same state again is no change.
    await platform.bus.call(endpoints.disableCriteria, { criteria_id: id }, world.caller());
    const gone = await platform.bus.call(endpoints.deleteCriteria, { criteria_id: id }, world.caller());
    expect(gone).toEqual({ id, deleted: true });
    const again = platform.bus.call(endpoints.getCriteria, { criteria_id: id }, world.caller());
    await expect(again).rejects.toMatchObject({ status: 404 });
    const events = ['created', 'updated', 'updated', 'deleted'].map((name) => `evaluation_criteria.${name}`);
    expect(await world.events('evaluation_criteria', id)).toEqual(events);
    const actions = (await world.audits('evaluation_criteria', id)).map(({ action }) => action);
    expect(actions).toEqual(['create', 'update', 'disable', 'delete']);
  });

  it('have unique names, which a deleted one gives back', async () => {
    const { id } = await world.criterion();
    await expect(world.criterion()).rejects.toMatchObject({ status: 409 });
    await platform.bus.call(endpoints.deleteCriteria, { criteria_id: id }, world.caller());
    await expect(world.criterion()).resolves.toMatchObject({ name: 'Exact' });
  });

  it('refuse what can never judge: a bad pattern, a bad schema, an unknown model', async () => {
    const pattern = world.criterion({ method: 'REGEX', config: { pattern: '(a' } });
    await expect(pattern).rejects.toMatchObject({ status: 422 });
    const schema = world.criterion({ method: 'JSON_SCHEMA', config: { schema: { type: 'nothing' } } });
    await expect(schema).rejects.toMatchObject({ status: 422 });
    const model = world.criterion({ method: 'LLM', prompt: 'Is it kind?', config: { model: 'none' } });
    await expect(model).rejects.toMatchObject({ status: 404, message: 'model not found' });
    const judge = { method: 'LLM', prompt: 'Is it kind?', config: { model: 'simulated-echo' } } as const;
    await expect(world.criterion(judge)).resolves.toMatchObject({ config: { model: 'simulated-echo' } });
  });

  it('are listed by type, method and state, within the company', async () => {
    await world.criterion();
    const kind = await world.criterion({
      name: 'Kind',
      criteria_type: 'NUMERIC',
      method: 'LLM',
      prompt: 'Is it kind?',
      enabled: false,
    });
    const other = await World.make(platform);
    const names = async (filter: object, company = world) => {
      const { data } = await platform.bus.call(endpoints.listCriteria, { ...PAGE, ...filter }, company.caller());
      return data.map(({ name }) => name);
    };
    expect(await names({})).toEqual(['Kind', 'Exact']);
    expect(await names({ criteria_type: 'NUMERIC' })).toEqual(['Kind']);
    expect(await names({ method: 'EXACT' })).toEqual(['Exact']);
    expect(await names({ enabled: false })).toEqual(['Kind']);
    expect(await names({ search: 'exa' })).toEqual(['Exact']);
    expect(await names({}, other)).toEqual([]);
    const foreign = platform.bus.call(endpoints.getCriteria, { criteria_id: kind.id }, other.caller());
    await expect(foreign).rejects.toMatchObject({ status: 404 });
  });
});
