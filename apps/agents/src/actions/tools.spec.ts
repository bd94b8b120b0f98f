import { defaultTool, describeTools, nameTools, readArguments, type TaskAction } from './tools.js';

const action = (change: Partial<TaskAction>): TaskAction => ({
  id: 1,
  action_name: 'Look up',
  action_type: 'api',
  description: 'looks up',
  enabled: true,
  action_config: { endpoint: '/x' },
  meta: {},
  is_default: false,
  action_result_type: 'gather_info',
  invocation_mode: 'foreground',
  ...change,
});

describe('tools of a task', () => {
  it('have unique names that every provider accepts, and leave out disabled actions', () => {
    const names = [
      'Look up',
      'Look-up',
      'look up!',
      'Look  up',
      'Gro:e',
      '日本',
      'off',
      'a'.repeat(80),
      'a'.repeat(90),
    ];
    const named = nameTools(
      names.map((action_name, id) => action({ id, action_name, enabled: action_name !== 'off' })),
    );
    expect(named.map(({ tool }) => tool)).toEqual([
      'Look_up',
      'Look-up',
      'look_up',
      'Look_up_2',
      'Gro_e',
      'action_5',
      'a'.repeat(64),
      `${'a'.repeat(62)}_2`,
    ]);
    expect(named.every(({ tool }) => /^[A-Za-z0-9_-]{1,64}$/.test(tool))).toBe(true);
  });

  it('have the declared parameters only, and require those of the path', () => {
    const [tool] = describeTools(
      nameTools([
        action({
          action_config: {
            endpoint: '/o/{id}',
            query: { q: '{q}' },
            parameters: {
              n: { type: 'number', description: 'how many', required: true },
              id: { type: 'string', required: false },
            },
          },
        }),
      ]),
    );
    expect(tool!.function.parameters).toEqual({
      type: 'object',
      properties: { n: { type: 'number', description: 'how many' }, id: { type: 'string' } },
      required: ['n', 'id'],
      additionalProperties: false,
    });
  });

  it('give an llm action one optional input, whatever braces its prompt has', () => {
    const llm = action({ action_type: 'llm', action_config: { prompt: 'answer as {"text": "..."} or {lang}' } });
    const [tool] = describeTools(nameTools([llm]));
    expect(tool!.function.parameters).toMatchObject({ properties: { input: { type: 'string' } }, required: [] });
    expect(readArguments(llm, '')).toEqual({});
  });

  it.each([
    ['string', '7', 7],
    ['number', 7.5, '7'],
    ['boolean', false, 0],
    ['object', { a: 1 }, [1]],
    ['array', [1], { a: 1 }],
  ])('of type %s accept %j and refuse %j', (type, good, bad) => {
    const one = action({ action_config: { endpoint: '/x', parameters: { a: { type } } } });
    expect(readArguments(one, JSON.stringify({ a: good, b: 'undeclared' }))).toEqual({ a: good });
    expect(readArguments(one, JSON.stringify({ a: bad }))).toMatch(/^argument a must be/);
    expect(readArguments(one, '{"a":null}')).toEqual({});
  });

  it('parse arguments or return their problem', () => {
    const one = action({ action_config: { endpoint: '/{id}', parameters: { id: { type: 'number' } } } });
    expect(readArguments(one, '{"id":1}')).toEqual({ id: 1 });
    expect(readArguments(one, '{}')).toBe('missing arguments: id');
    expect(readArguments(one, '[1]')).toBe('the arguments are not a JSON object');
    expect(readArguments(one, '{')).toBe('the arguments are not valid JSON');
  });

  it('have the default action only while it is enabled', () => {
    expect(defaultTool(nameTools([action({ is_default: true })]))).toBe('Look_up');
    expect(defaultTool(nameTools([action({ is_default: true, enabled: false })]))).toBeUndefined();
  });
});
