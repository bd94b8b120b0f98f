import {
  ApiError,
  AtMostOne,
  ChatMessage,
  Checked,
  type Class,
  Count,
  Default,
  type Detail,
  field,
  Flag,
  fromText,
  Id,
  Int,
  join,
  Json,
  List,
  ListOf,
  MapOf,
  Matching,
  Message,
  Name,
  Nested,
  nestedType,
  Nullable,
  Num,
  Obj,
  omit,
  OneOf,
  Optional,
  parse,
  partial,
  pick,
  SemVer,
  Slug,
  Str,
  stringType,
  Text,
  Uuid,
} from '@signalbox/contracts';

function detailsOf(cls: Class, plain: unknown): Detail[] {
  try {
    parse(cls, plain);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.status).toBe(400);
    return error.extras.details ?? [];
  }
}
const fieldsAtFault = (cls: Class, plain: unknown): string[] => detailsOf(cls, plain).map((detail) => detail.field);

class Leaf {
  @Int(0, 9) weight!: number;
  @Flag() @Default(true) green!: boolean;
}
class Tree {
  @Name() name!: string;
  @Nested(() => Leaf) @Optional() leaf?: Leaf;
  @ListOf(() => Leaf, 0, 3) @Default(() => []) leaves!: Leaf[];
  @field(nestedType(() => Leaf, 'map', 0, 3)) @Default(() => ({})) named!: Record<string, Leaf>;
  @Str(0, 5) @Nullable() @Optional() note?: string | null;
}

@AtMostOne('left', 'right')
@Checked<Pair>(({ count, left }) =>
  count === 0 && left !== undefined ? { field: 'count', message: 'must not be 0 with left' } : undefined,
)
class Pair {
  @Str() @Optional() left?: string;
  @Str() @Nullable() @Optional() right?: string | null;
  @Count() @Default(1) count!: number;
}

describe('parse', () => {
  it('builds an instance with its defaults, new for each request', () => {
    const first = parse(Tree, { name: ' oak ' });
    expect(first).toBeInstanceOf(Tree);
    expect(first).toEqual({ name: 'oak', leaves: [], named: {} });
    first.leaves.push({ weight: 1, green: true });
    expect(parse(Tree, { name: 'ash' }).leaves).toEqual([]);
    expect(parse(Tree, { name: 'a', leaf: { weight: 1 } }).leaf).toEqual({ weight: 1, green: true });
  });

  it.each<[string, unknown, string[]]>([
    ['an unknown key', { name: 'a', colour: 1 }, ['colour']],
    ['an unknown key below', { name: 'a', leaf: { weight: 1, colour: 1 } }, ['leaf.colour']],
    ['an unknown key in a list', { name: 'a', leaves: [{ weight: 1 }, { weight: 1, x: 1 }] }, ['leaves[1].x']],
    ['a bad value in a map', { name: 'a', named: { low: { weight: 10 } } }, ['named.low.weight']],
    ['a missing field', {}, ['name']],
    ['null in a field that is not nullable', { name: null }, ['name']],
    ['a list too long', { name: 'a', leaves: Array(4).fill({ weight: 1 }) }, ['leaves']],
    ['an object for a list', { name: 'a', leaves: {} }, ['leaves']],
    ['a list for an object', { name: 'a', leaf: [] }, ['leaf']],
    ['a scalar in a list of objects', { name: 'a', leaves: [7] }, ['leaves[0]']],
    ['a list in a list of objects', { name: 'a', leaves: [[]] }, ['leaves[0]']],
    ['null in a list of objects', { name: 'a', leaves: [null] }, ['leaves[0]']],
    ['a scalar in a map of objects', { name: 'a', named: { low: 'x' } }, ['named.low']],
    ['every problem at once', { name: '', leaf: { weight: -1 }, x: 1 }, ['name', 'leaf.weight', 'x']],
  ])('names the bad field: %s', (_what, plain, at) => {
    expect(fieldsAtFault(Tree, plain).sort()).toEqual(at.sort());
  });

  it('names the role of the third message', () => {
    class Chat {
      @ListOf(() => Message) messages!: Message[];
    }
    const messages = [{ role: 'user', content: 'a' }, { role: 'tool', content: null }, { role: 'boss' }];
    expect(fieldsAtFault(Chat, { messages })).toEqual(['messages[2].role']);
  });

  it.each<[string, unknown]>([
    ['an unknown key in a text part', { type: 'text', text: 'a', foo: 1 }],
    ['an unknown key in an image part', { type: 'image_url', image_url: { url: 'a' }, text: 'a' }],
    ['an unknown key in an image', { type: 'image_url', image_url: { url: 'a', detail: 'low' } }],
    ['a text part without text', { type: 'text' }],
    ['an image that is text', { type: 'image_url', image_url: 'a' }],
    ['null', null],
  ])('refuses a message part: %s', (_what, part) => {
    const good = { type: 'text', text: 'a' };
    expect(fieldsAtFault(Message, { role: 'user', content: [good] })).toEqual([]);
    expect(fieldsAtFault(Message, { role: 'user', content: [good, part] })).toEqual(['content']);
  });

  it('accepts unknown keys of a part in the OpenAI-shaped endpoints', () => {
    const image = { type: 'image_url', image_url: { url: 'a', detail: 'low' } };
    expect(fieldsAtFault(ChatMessage, { role: 'user', content: [image] })).toEqual([]);
    expect(fieldsAtFault(ChatMessage, { role: 'user', content: [{ ...image, foo: 1 }] })).toEqual([]);
    expect(fieldsAtFault(Message, { role: 'user', content: [image] })).toEqual(['content']);
  });

  it('accepts unknown keys of a call of a tool in the OpenAI-shaped endpoints, and keeps them', () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}', more: 1 }, index: 0 };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    expect(fieldsAtFault(ChatMessage, message)).toEqual([]);
    expect(parse(ChatMessage, message).tool_calls).toEqual([call]);
    expect(fieldsAtFault(Message, message)).toEqual(['tool_calls[0].function.more', 'tool_calls[0].index']);
  });

  it.each<[string, unknown]>([
    ['without an id', { type: 'function', function: { name: 'f', arguments: '{}' } }],
    ['of another type', { id: 'c', type: 'custom', function: { name: 'f', arguments: '{}' } }],
    ['without a name', { id: 'c', type: 'function', function: { arguments: '{}' } }],
    ['with an object as arguments', { id: 'c', type: 'function', function: { name: 'f', arguments: {} } }],
    ['with NUL in an unknown key', { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' }, x: '\0' }],
    ['that is null', null],
  ])('refuses a call of a tool %s', (_what, call) => {
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    expect(fieldsAtFault(ChatMessage, message)).toEqual(['tool_calls']);
  });

  it.each([null, 7, 'text', true, []].map((plain) => [plain]))('refuses %j as a whole', (plain) => {
    expect(fieldsAtFault(Tree, plain)).not.toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'treats %s as an unknown key and pollutes nothing',
    (key) => {
      expect(fieldsAtFault(Tree, JSON.parse(`{"name":"a","${key}":{"polluted":true}}`))).toContain(key);
      expect(fieldsAtFault(Tree, JSON.parse(`{"name":"a","leaf":{"weight":1,"${key}":{"polluted":1}}}`))).toContain(
        `leaf.${key}`,
      );
      expect({}).not.toHaveProperty('polluted');
      expect(parse(Tree, { name: 'a' })).not.toHaveProperty('polluted');
    },
  );

  it('keeps __proto__ in free objects and maps as plain data', () => {
    class Free {
      @Obj() data!: Record<string, unknown>;
      @MapOf(stringType(0, 9)) words!: Record<string, string>;
    }
    const plain: unknown = JSON.parse('{"data":{"__proto__":{"a":1}},"words":{"__proto__":"x"}}');
    expect(JSON.stringify(parse(Free, plain))).toBe(JSON.stringify(plain));
    expect({}).not.toHaveProperty('a');
  });

  it('does not take inherited properties for input', () => {
    const plain = Object.create({ name: 'from the prototype' }) as object;
    expect(fieldsAtFault(Tree, plain)).toEqual(['name']);
  });

  it('runs rules over several fields after each field is valid', () => {
    expect(fieldsAtFault(Pair, { left: 'a', right: 'b' })).toEqual(['right']);
    expect(fieldsAtFault(Pair, { left: 'a', right: null })).toEqual([]);
    expect(fieldsAtFault(Pair, { left: 'a', count: 0 })).toEqual(['count']);
    expect(fieldsAtFault(Pair, { left: 7, right: 'b' })).toEqual(['left']);
  });

  it('also runs the rules of a base class', () => {
    class Wider extends Pair {
      @Str() @Optional() more?: string;
    }
    expect(fieldsAtFault(Wider, { left: 'a', right: 'b', more: 'c' })).toEqual(['right']);
  });

  it('reports at most 50 problems', () => {
    const plain = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`k${at}`, 1]));
    expect(detailsOf(Tree, plain)).toHaveLength(50);
  });
});

describe('derived classes', () => {
  it('partial: nothing is required and no default is applied', () => {
    const Change = partial(Tree, 'note');
    expect(parse(Change, {})).toEqual({});
    expect(fieldsAtFault(Change, { name: '' })).toEqual(['name']);
    expect(fieldsAtFault(Change, { note: 'x' })).toEqual(['note']);
  });

  it('pick and omit keep rules, marks and defaults', () => {
    expect(parse(pick(Tree, 'leaves'), {})).toEqual({ leaves: [] });
    expect(fieldsAtFault(pick(Tree, 'leaves'), { name: 'a' })).toEqual(['name']);
    expect(fieldsAtFault(omit(Tree, 'leaves'), { name: 'a', leaves: [] })).toEqual(['leaves']);
    expect(parse(omit(Tree, 'leaves', 'named'), { name: 'a', note: null })).toEqual({ name: 'a', note: null });
  });

  it('join: the fields of both, the second class takes precedence', () => {
    class Path {
      @Id() tree_id!: number;
      @Int() name!: number;
    }
    expect(parse(join(Path, Tree), { tree_id: 1, name: 'a' })).toEqual({
      tree_id: 1,
      name: 'a',
      leaves: [],
      named: {},
    });
    expect(fieldsAtFault(join(Path, Tree), { tree_id: 0, name: 7 }).sort()).toEqual(['name', 'tree_id']);
  });

  it('join: the rules of both, each once', () => {
    class Path {
      @Id() tree_id!: number;
    }
    const Both = join(Pair, join(Path, Pair));
    expect(detailsOf(Both, { tree_id: 1, left: 'a', right: 'b' })).toEqual([
      { field: 'right', message: 'cannot be combined with left' },
    ]);
    expect(fieldsAtFault(Both, { tree_id: 1, left: 'a', count: 0 })).toEqual(['count']);
  });

  it.each([
    ['partial', () => partial(Pair)],
    ['pick', () => pick(Pair, 'left')],
    ['omit', () => omit(Pair, 'left')],
    ['partial of a join', () => partial(join(Tree, Pair))],
  ])('%s: refused for a class with rules over several fields', (_what, derive) => {
    expect(derive).toThrow('rules over several fields');
  });

  it('do not change the class they derive from', () => {
    expect(fieldsAtFault(Tree, {})).toEqual(['name']);
  });
});

class Kinds {
  @Id() @Optional() id?: number;
  @Int(-5, 5) @Optional() int?: number;
  @Num(0, 1) @Optional() num?: number;
  @Flag() @Optional() flag?: boolean;
  @Name() @Optional() name?: string;
  @Text(10) @Optional() text?: string;
  @Slug() @Optional() slug?: string;
  @SemVer() @Optional() semver?: string;
  @Uuid() @Optional() uuid?: string;
  @OneOf(['a', 'b']) @Optional() word?: string;
  @Matching(/^https?:\/\/[^\s]{1,500}$/, 'a URL') @Optional() url?: string;
  @List(stringType(1, 3), 1, 2) @Optional() list?: string[];
  @MapOf(stringType(0, 3), undefined, 2) @Optional() map?: Record<string, string>;
  @Obj() @Optional() obj?: object;
  @Json(100) @Optional() json?: unknown;
}

const deep = (levels: number): unknown => JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels)) as unknown;

describe('field rules', () => {
  it.each<[keyof Kinds, unknown[], unknown[]]>([
    ['id', [1, 2_147_483_647], [0, -1, 2_147_483_648, 1.5, '1', true, [], {}, NaN]],
    ['int', [-5, 0, 5], [-6, 6, 0.5, '0']],
    ['num', [0, 0.5, 1], [-0.1, 1.1, Infinity, NaN, '0']],
    ['flag', [true, false], [0, 1, 'true', null]],
    ['name', ['a', '  a  ', '🙂'.repeat(200)], ['', '   ', 'a'.repeat(201), 7, null, ['a'], {}]],
    ['text', ['', 'a'.repeat(10), '🙂'.repeat(10)], ['a'.repeat(11), '🙂'.repeat(11)]],
    ['slug', ['a', '0-_z', 'a'.repeat(64)], ['', 'A', '-a', 'a b', 'a'.repeat(65), 'a\n']],
    ['semver', ['0.0.0', '1.20.300'], ['1.0', '1.0.0-rc', 'v1.0.0', '01.0.0', '1.0.0\n', '1234567890.0.0']],
    ['uuid', ['01234567-89ab-4def-8123-456789abcdef'], ['01234567-89AB-4def-8123-456789abcdef', '0123']],
    ['word', ['a', 'b'], ['c', 'A', 'toString', '__proto__', 1]],
    ['url', ['http://a', 'https://a/b?c'], ['ftp://a', 'http://', 'http://a b', `http://${'a'.repeat(501)}`]],
    ['list', [['a'], ['a', 'bbb']], [[], ['a', 'b', 'c'], ['bbbb'], 'a', { 0: 'a' }]],
    ['map', [{}, { a: 'b' }], [{ a: 1 }, { '': 'x' }, { a: '', b: '', c: '' }, [], 'a']],
    ['obj', [{}, deep(20), { a: 'x'.repeat(65_528) }], [[], 'a', 1, deep(21), { a: 'x'.repeat(65_529) }]],
    ['json', [1, 'a', null, [], {}].filter((value) => value !== null), ['x'.repeat(99), deep(21)]],
  ])('%s', (name, good, bad) => {
    for (const value of good) expect([name, value, detailsOf(Kinds, { [name]: value })]).toEqual([name, value, []]);
    for (const value of bad)
      expect([name, value, fieldsAtFault(Kinds, { [name]: value })]).toEqual([name, value, [name]]);
  });

  it('bounds the depth before any recursion', () => {
    const nested = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
    expect(fieldsAtFault(Kinds, { obj: { nested } })).toEqual(['obj']);
    expect(fieldsAtFault(Kinds, { json: nested })).toEqual(['json']);
    expect(fieldsAtFault(Tree, { name: nested })).toEqual(['name']);
  });

  it.each(['\0', '\ud800', '\udc00'])('refuses %j in every text', (bad) => {
    class Texts {
      @Name() @Optional() name?: string;
      @Str() @Optional() str?: string;
      @Matching(/^[^\s]+$/, 'without spaces') @Optional() pattern?: string;
      @List(stringType(0, 9)) @Optional() list?: string[];
      @MapOf(stringType(0, 9)) @Optional() map?: Record<string, string>;
      @Obj() @Optional() obj?: object;
      @Json() @Optional() json?: unknown;
      @ListOf(() => Message) @Optional() messages?: Message[];
    }
    const text = `a${bad}b`;
    const inputs: [string, unknown][] = [
      ['name', text],
      ['str', text],
      ['pattern', text],
      ['list', [text]],
      ['map', { a: text }],
      ['map', { [text]: 'a' }],
      ['obj', { a: { b: [text] } }],
      ['obj', { [text]: 1 }],
      ['json', text],
      ['json', [text]],
      ['messages', [{ role: 'user', content: text }]],
      ['messages', [{ role: 'user', content: [{ type: 'text', text }] }]],
    ];
    for (const [name, value] of inputs)
      expect([name, value, fieldsAtFault(Texts, { [name]: value }).length]).toEqual([name, value, 1]);
    expect(fieldsAtFault(Texts, { [text]: 1 })).toHaveLength(1);
  });
});

describe('text of a path or query', () => {
  it.each<[string, string | string[], unknown]>([
    ['id', '7', 7],
    ['id', '7.0', 7],
    ['id', '1e3', '1e3'],
    ['id', '0x10', '0x10'],
    ['id', ' 7', ' 7'],
    ['id', '', ''],
    ['int', '-3', -3],
    ['flag', 'true', true],
    ['flag', 'false', false],
    ['flag', '1', '1'],
    ['flag', 'TRUE', 'TRUE'],
    ['name', '7', '7'],
    ['word', 'a', 'a'],
    ['list', 'a,b', ['a', 'b']],
    ['list', ['a', 'b'], ['a', 'b']],
    ['list', ['a,b', 'c'], ['a', 'b', 'c']],
    ['id', ['1', '2'], '1,2'],
    ['nobody', 'x', 'x'],
  ])('%s: %j becomes %j', (name, text, value) => {
    expect(fromText(Kinds, name, text)).toEqual(value);
  });
});
