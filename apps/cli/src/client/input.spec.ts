import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, readCatalog } from './catalog.js';
import { candidates, completionScript } from './completion.js';
import { inputOf } from './input.js';
import { OPTIONS, sortWords } from './options.js';

const catalog = readCatalog();
const commandOf = (family: string, verb: string): Command => catalog[family]?.[verb] as Command;

async function input(family: string, verb: string, ...words: string[]): Promise<unknown> {
  const command = commandOf(family, verb);
  const isBoolean = (name: string): boolean =>
    command.fields?.some((field) => field.name === name && field.type === 'boolean') ?? false;
  return inputOf(command, sortWords(words, isBoolean));
}

describe('the words of a command', () => {
  it('without a name are the path, then what is required, then a message', async () => {
    expect(await input('agents', 'invoke', '7', 'hello')).toEqual({ agent_id: 7, message: 'hello' });
    expect(await input('agents', 'create', '3', 'Helper')).toEqual({ application_id: 3, agent_name: 'Helper' });
    await expect(input('agents', 'get', '7', '8')).rejects.toThrow('unexpected argument "8"');
  });

  it('have the types of their fields', async () => {
    expect(await input('agents', 'invoke', '7', '--no-wait', '--max-cost=0.5', '--state', '{"a":1}')).toEqual({
      agent_id: 7,
      wait: false,
      max_cost: 0.5,
      state: { a: 1 },
    });
    expect(await input('agents', 'list', '--status', 'ENABLED', '--status', 'DISABLED')).toEqual({
      status: ['ENABLED', 'DISABLED'],
    });
    expect(await input('tags', 'create-run', '--rule-ids', '1,2')).toEqual({ rule_ids: [1, 2] });
    expect(await input('workflows', 'execute', '7', '--input', 'hello')).toEqual({ workflow_id: 7, input: 'hello' });
    expect(await input('models', 'update', '7', '--context-window', 'null')).toEqual({
      model_id: 7,
      context_window: null,
    });
  });

  it.each([
    ['3 apples', '3 apples'],
    ['2026-05-01', '2026-05-01'],
    ['-1.5e3 ', -1500],
    ['007', '007'],
    ['null\n', null],
    ['[1]', [1]],
  ])('take %j as JSON only where it is some', async (text, value) => {
    expect(await input('workflows', 'execute', '7', `--input=${text}`)).toEqual({ workflow_id: 7, input: value });
  });

  it('read a value that starts with @ from a file', async () => {
    const file = join(tmpdir(), `input-${process.pid}.txt`);
    writeFileSync(file, '{"agent_name":"From a file"}');
    expect(await input('agents', 'update', '7', '-d', `@${file}`, '--description', '@@home')).toEqual({
      agent_id: 7,
      agent_name: 'From a file',
      description: '@home',
    });
    writeFileSync(file, '\uFEFF{"agent_name":"From Windows"}\r\n');
    expect(await input('agents', 'update', '7', '-d', `@${file}`)).toEqual({ agent_id: 7, agent_name: 'From Windows' });
    await expect(input('agents', 'update', '7', '--system-prompt', '@/nowhere')).rejects.toThrow(
      '/nowhere cannot be read',
    );
  });

  it('are refused with a sentence', async () => {
    await expect(input('agents', 'create', '--agent-name', 'x')).rejects.toThrow('missing: application_id');
    await expect(input('agents', 'get', 'seven')).rejects.toThrow('--agent_id must be a whole number');
    await expect(input('agents', 'list', '--colour', 'red')).rejects.toThrow('there is no option --colour');
    await expect(input('agents', 'list', '--status', 'BROKEN')).rejects.toThrow(
      '--status must be one of ENABLED, DISABLED',
    );
    await expect(input('agents', 'create', '3', 'a', '-d', '{')).rejects.toThrow('--data is not JSON');
    await expect(input('agents', 'list', '--search')).rejects.toThrow('--search needs a value');
  });
});

describe('completion', () => {
  const offered = (...words: string[]): string[] => candidates(words, catalog, ['start', 'whoami']);

  it('offers families, verbs, options and words', () => {
    expect(offered('work')).toEqual(['workflows']);
    expect(offered('who')).toEqual(['whoami']);
    expect(offered('agents', 'publish')).toEqual(['publish-version']);
    expect(offered('agents', 'create', '--exec')).toEqual(['--execution-mode']);
    expect(offered('agents', 'create', '--execution-mode', 'r')).toEqual(['reasoning', 'route']);
  });

  it('has a script for three shells', () => {
    for (const shell of ['bash', 'zsh', 'fish']) expect(completionScript(shell)).toContain('signalbox __complete');
    expect(completionScript('tcsh')).toBeUndefined();
  });
});

describe('the commands', () => {
  it('have no field that is called like an option', () => {
    const options = Object.keys(OPTIONS).map((name) => name.replaceAll('-', '_'));
    const clashes = Object.entries(catalog).flatMap(([family, verbs]) =>
      Object.entries(verbs).flatMap(([verb, { fields = [] }]) =>
        fields.filter(({ name }) => options.includes(name)).map(({ name }) => `${family} ${verb} ${name}`),
      ),
    );
    expect(clashes).toEqual([]);
  });
});
