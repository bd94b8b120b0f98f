import { actions, agents, applications, type Endpoint, hooks, tasks } from '@signalbox/contracts';
import { InputReader, requireFewParameters, type Texts } from './input-reader.js';

const read = (endpoint: Endpoint, path: Texts, query: Texts = {}, body?: unknown) =>
  new InputReader(endpoint).read(path, query, body);

const fieldsRefused = (work: () => unknown): string[] => {
  try {
    work();
  } catch (error) {
    return (error as { extras: { details?: { field: string }[] } }).extras.details?.map(({ field }) => field) ?? ['-'];
  }
  return [];
};

describe('the input of a call', () => {
  it('merges path and query as the types of the fields', () => {
    const input = read(actions.endpoints.listActions, { agent_id: '7' }, { limit: '5', enabled: 'true' });
    expect(input).toEqual({ agent_id: 7, limit: 5, enabled: true, offset: 0, sort: '-id' });
  });

  it('takes a list comma-joined, repeated, or both', () => {
    const list = (status: string | string[]) => read(tasks.endpoints.listTasks, { agent_id: '1' }, { status });
    expect(list('RUNNING,QUEUED')).toMatchObject({ status: ['RUNNING', 'QUEUED'] });
    expect(list(['RUNNING', 'QUEUED'])).toMatchObject({ status: ['RUNNING', 'QUEUED'] });
    expect(list(['RUNNING,QUEUED', 'FAILED'])).toMatchObject({ status: ['RUNNING', 'QUEUED', 'FAILED'] });
  });

  it('reads more of a deletion than its path from the query or a body', () => {
    const of = { application_id: '7' };
    const { deleteApplication } = applications.endpoints;
    expect(read(deleteApplication, of)).toEqual({ application_id: 7, force: false });
    expect(read(deleteApplication, of, { force: 'true' })).toEqual({ application_id: 7, force: true });
    expect(read(deleteApplication, of, {}, { force: true })).toEqual({ application_id: 7, force: true });
    expect(fieldsRefused(() => read(deleteApplication, of, {}, { other: 1 }))).toEqual(['other']);
  });

  it('merges path and body, and reads an absent body as an empty one', () => {
    expect(read(agents.endpoints.updateAgent, { agent_id: '7' }, {}, { agent_name: 'x' })).toEqual({
      agent_id: 7,
      agent_name: 'x',
    });
    expect(read(agents.endpoints.enableAgent, { agent_id: '7' })).toEqual({ agent_id: 7 });
  });

  it('refuses a callback without a body, and takes any JSON as one', () => {
    const { answerHook } = hooks.endpoints;
    expect(() => read(answerHook, { hook_key: 'k' })).toThrow('the body is empty');
    for (const body of [null, 0, '', [], {}])
      expect(read(answerHook, { hook_key: 'k' }, {}, body)).toEqual({ hook_key: 'k', payload: body });
  });

  it.each<[string, Endpoint, Texts, Texts, unknown, string[]]>([
    ['a path id that is no integer', agents.endpoints.getAgent, { agent_id: 'abc' }, {}, undefined, ['agent_id']],
    ['a path id of another form', tasks.endpoints.getTask, { agent_id: '1', task_id: 'x' }, {}, undefined, ['task_id']],
    ['a path id out of range', agents.endpoints.getAgent, { agent_id: '0' }, {}, undefined, ['agent_id']],
    ['an unknown query parameter', agents.endpoints.listAgents, {}, { nope: '1' }, undefined, ['nope']],
    [
      'a path parameter in the query',
      agents.endpoints.getAgent,
      { agent_id: '1' },
      { agent_id: '2' },
      undefined,
      ['agent_id'],
    ],
    [
      'a path parameter in the body',
      agents.endpoints.updateAgent,
      { agent_id: '1' },
      {},
      { agent_id: 2 },
      ['agent_id'],
    ],
    [
      'a body field in the query',
      agents.endpoints.updateAgent,
      { agent_id: '1' },
      { agent_name: 'x' },
      {},
      ['agent_name'],
    ],
    ['a single value given twice', agents.endpoints.listAgents, {}, { limit: ['1', '2'] }, undefined, ['limit']],
    [
      'a boolean that is none',
      actions.endpoints.listActions,
      { agent_id: '1' },
      { enabled: '1' },
      undefined,
      ['enabled'],
    ],
    ['an unknown body field', agents.endpoints.updateAgent, { agent_id: '1' }, {}, { id: 3 }, ['id']],
    ['a body that is a list', agents.endpoints.updateAgent, { agent_id: '1' }, {}, [], ['-']],
    ['a body that is null', agents.endpoints.updateAgent, { agent_id: '1' }, {}, null, ['-']],
    ['a body that is text', agents.endpoints.updateAgent, { agent_id: '1' }, {}, 'x', ['-']],
    ['a limit above 100', agents.endpoints.listAgents, {}, { limit: '101' }, undefined, ['limit']],
  ])('refuses %s', (_, endpoint, path, query, body, fields) => {
    expect(fieldsRefused(() => read(endpoint, path, query, body))).toEqual(fields);
  });
});

describe('the number of query parameters', () => {
  const query = (count: number) => `/x?${Array.from({ length: count }, (_, at) => `a=${at}`).join('&')}`;
  it('may be 100', () => expect(() => requireFewParameters(query(100))).not.toThrow());
  it('may not be 101', () => expect(() => requireFewParameters(query(101))).toThrow('100 parameters'));
});
